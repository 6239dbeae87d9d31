import type { FormField, FormOut, FormSettings } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Locator, Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const text = (name: string, rest: Partial<FormField> = {}): FormField => ({ name, type: 'text', ...rest });

/** Edits of fields that change other parts of the form, and work by keyboard and in long forms. */
export function buildEditsScenarios(fixture: () => Fixture): void {
  describe('editing a form', () => {
    const openBuilder = async (fields: FormField[], settings: FormSettings = {}, options = {}) => {
      const form = await createForm(fixture().client, { name: 'Edited', fields, settings });
      return { form, page: await fixture().open(`/forms/${form.id}/build`, options) };
    };
    const save = async (page: Page) => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Draft saved, not published').waitFor();
    };
    const draftOf = async (id: string) =>
      (await fixture().client.get<FormOut>(`/api/forms/${id}?draft=true`)).body.data;
    const hasFocus = (target: Locator, what: string) =>
      poll(() => target.evaluate((one) => one === document.activeElement), { what: `the focus on ${what}` });

    it('compares a date with a date', async () => {
      const { form, page } = await openBuilder([
        { name: 'day', type: 'date', label: 'Day' },
        text('why', { label: 'Why', showIf: { field: 'day', equals: '' } }),
      ]);
      await page.getByRole('button', { name: 'Edit Why' }).click();
      const equals = page.getByLabel('Equals');
      expect(await equals.getAttribute('type')).toBe('date');
      await equals.fill('2026-12-24');
      await save(page);
      expect((await draftOf(form.id)).fields[1]?.showIf).toEqual({ field: 'day', equals: '2026-12-24' });
    });

    it('opens the section of an error, names it, and goes to its input', async () => {
      const { page } = await openBuilder([text('first', { label: 'First' })], {}, { expected: /422/ });
      const section = page.getByRole('button', { name: 'Submit button and thank-you page' });
      await section.click();
      const url = page.getByLabel('Redirect URL').first();
      await url.fill('example.com/thanks');
      await section.click();
      await url.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/^Build, Submit button and thank-you page: Must be a URL/).waitFor();
      await hasFocus(url, 'the URL');
      const isInView = () =>
        url.evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        });
      await poll(isInView, { what: 'the URL in view' });
      expect(await violations(page)).toEqual([]);
    });

    it('asks before a form without fields is published', async () => {
      const { form, page } = await openBuilder([text('first', { label: 'First' })]);
      await page.getByRole('button', { name: 'Delete First' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish a form without fields?' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await save(page);
      const publishing = await fixture().openBeside(page, `/forms/${form.id}/publish`);
      await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
      await publishing.getByRole('button', { name: 'Publish without fields' }).click();
      await publishing.getByText('Everything is published.').waitFor();
    });

    it('asks before a translation is deleted', async () => {
      const { form } = await openBuilder([text('first')], { translations: { de: { title: 'Titel' } } });
      const page = await fixture().open(`/forms/${form.id}/languages`);
      await page.getByRole('button', { name: 'Delete translation' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete the German translation?' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Title, German').inputValue()).toBe('Titel');
      await page.getByRole('button', { name: 'Delete translation' }).click();
      await dialog.getByRole('button', { name: 'Delete translation' }).click();
      await save(page);
      expect((await draftOf(form.id)).settings.translations).toBeUndefined();
    });
  });
}
