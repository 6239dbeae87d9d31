import type { FormField, FormOut, FormSettings } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Locator, Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const SIZE: FormField = {
  name: 'size',
  type: 'select',
  label: 'Size',
  options: [{ value: 'option-1' }, { value: '2' }, { value: '20' }],
  defaultValue: 'option-1',
};
const AB: FormField = { name: 'ab', type: 'radio', label: 'AB', options: [{ value: 'a' }, { value: 'b' }] };
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
    const labels = (page: Page) =>
      page
        .getByRole('button', { name: /^Edit / })
        .evaluateAll((buttons) => buttons.map((button) => button.textContent));

    it('carries the new value of an option wherever the form uses it', async () => {
      const is = { field: 'size', op: 'eq', value: 'option-1' } as const;
      const { form, page } = await openBuilder(
        [
          SIZE,
          text('why', { showIf: { field: 'size', equals: 'option-1' } }),
          text('how', { showIf: { any: [is, { ...is, value: '2' }] } }),
          text('end', { step: 2 }),
        ],
        {
          jumps: [{ from: 1, to: 'end', when: { all: [is] } }],
          endings: [{ name: 'large', when: { any: [is] } }],
          translations: { de: { fields: { size: { options: { 'option-1': 'Groß', '2': 'Zwei' } } } } },
        },
      );
      const value = page.getByLabel('Option 1', { exact: true });
      // On its way, the value is empty, then that of another option, twice.
      await value.fill('');
      await value.pressSequentially('200');
      await save(page);
      const now = { ...is, value: '200' };
      expect(await draftOf(form.id)).toMatchObject({
        fields: [
          { options: [{ value: '200' }, { value: '2' }, { value: '20' }], defaultValue: '200' },
          { showIf: { field: 'size', equals: '200' } },
          { showIf: { any: [now, { ...is, value: '2' }] } },
          {},
        ],
        settings: {
          jumps: [{ when: { all: [now] } }],
          endings: [{ when: { any: [now] } }],
          translations: { de: { fields: { size: { options: { '200': 'Groß', '2': 'Zwei' } } } } },
        },
      });
    });

    it('asks before an option is deleted that logic uses', async () => {
      const { form, page } = await openBuilder([
        SIZE,
        text('why', { label: 'Why', showIf: { field: 'size', equals: 'option-1' } }),
      ]);
      const remove = page.getByRole('button', { name: 'Delete option 1' });
      await remove.click();
      const dialog = page.getByRole('dialog', { name: 'Delete the option “option-1”?' });
      await dialog.getByText('when “Why” is shown').waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel(/^Option \d$/).count()).toBe(3);
      await remove.click();
      await dialog.getByRole('button', { name: 'Delete option' }).click();
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(remove, 'the button of the next option');
      await save(page);
      const [size, why] = (await draftOf(form.id)).fields;
      expect([size?.options, size?.defaultValue, why?.showIf]).toEqual([
        [{ value: '2' }, { value: '20' }],
        undefined,
        undefined,
      ]);
    });

    it('moves options, and pastes a list of them', async () => {
      const { form, page } = await openBuilder([AB]);
      const up = (index: number) => page.getByRole('button', { name: `Move option ${index} up` });
      const down = (index: number) => page.getByRole('button', { name: `Move option ${index} down` });
      expect([await up(1).isDisabled(), await down(2).isDisabled()]).toEqual([true, true]);
      await page.getByRole('button', { name: 'Add option' }).click();
      await up(3).press('Enter');
      await hasFocus(up(2), 'the option that moved');
      await page.keyboard.press('Enter');
      await hasFocus(down(1), 'the button that is left at the start');
      await page.evaluate(() => navigator.clipboard.writeText('Small\r\n\tMedium \n\nLarge\nb\nSmall\n'));
      await page.getByLabel('Option 1', { exact: true }).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Control+v');
      await page.getByLabel('Option 5', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.evaluate(() => navigator.clipboard.writeText('ig'));
      await page.getByLabel('Option 5', { exact: true }).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Control+v');
      await save(page);
      const [field] = (await draftOf(form.id)).fields;
      expect(field?.options?.map(({ value }) => value)).toEqual(['Small', 'Medium', 'Large', 'a', 'big']);
    });

    it('adds a field below the selected one, on its step, and duplicates one', async () => {
      const { form, page } = await openBuilder(
        [
          text('q1', { label: 'Q1' }),
          text('q2', { label: 'Q2', step: 2, showIf: { all: [{ field: 'q1', op: 'answered' }] } }),
          text('q3', { label: 'Q3', step: 3 }),
        ],
        { translations: { de: { fields: { q2: { label: 'F2' } } } } },
      );
      await page.getByRole('button', { name: 'Edit Q2' }).click();
      await page.getByRole('button', { name: 'Add field' }).click();
      await page.getByRole('menuitem', { name: 'Number', exact: true }).click();
      await page.getByRole('button', { name: 'Edit Number' }).waitFor();
      await page.getByRole('button', { name: 'Duplicate Q2' }).click();
      await poll(async () => (await labels(page)).join() === 'Q1,Q2,Q2,Number,Q3', { what: 'the copy' });
      await page.getByRole('region', { name: 'Field: Q2' }).getByLabel('Label', { exact: true }).fill('Why');
      await page.getByRole('button', { name: 'Delete Q3' }).click();
      await page.getByRole('button', { name: 'Edit Q3' }).waitFor({ state: 'detached' });
      await save(page);
      const { fields, settings } = await draftOf(form.id);
      expect(fields.map(({ name, step }) => [name, step])).toEqual([
        ['q1', undefined],
        ['q2', 2],
        ['why', 2],
        ['number', 2],
      ]);
      expect(fields[2]?.showIf).toEqual({ all: [{ field: 'q1', op: 'answered' }] });
      expect(settings.translations).toEqual({
        de: { fields: { q2: { label: 'F2' }, why: { label: 'F2' } } },
      });
    });

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

    it('keeps the list, the editor and Save of a long form in view', async () => {
      const fields = Array.from({ length: 60 }, (_, n) => text(`field_${n}`));
      const { page } = await openBuilder(fields);
      const row = (n: number) => page.getByRole('button', { name: `Edit field_${n}`, exact: true });
      const isInView = (target: Locator) =>
        target.evaluate((one) => {
          const { top } = one.getBoundingClientRect();
          return top >= 0 && top < innerHeight;
        });
      await row(5).click();
      const editor = page.getByRole('region', { name: 'Field: field_5', exact: true });
      await poll(() => isInView(editor), { what: 'the editor in view' });
      expect(await isInView(row(5))).toBe(true);
      await page.getByRole('button', { name: 'Spam protection' }).click();
      await page.getByLabel('Block list').scrollIntoViewIfNeeded();
      const saveButton = page.getByRole('button', { name: 'Save', exact: true });
      await poll(() => isInView(saveButton), { what: 'Save in view' });
      await row(59).click();
      await page.getByRole('button', { name: 'Add field' }).click();
      await page.getByRole('menuitem', { name: 'Rating', exact: true }).click();
      const list = page.getByRole('list', { name: 'Fields' });
      const isInList = () =>
        list.evaluate((one) => {
          const added = one.querySelector('[aria-current]')?.getBoundingClientRect();
          return !!added && added.bottom <= one.getBoundingClientRect().bottom;
        });
      await poll(isInList, { what: 'the new row in the list' });
    });

    it('gives the focus to the row that follows a deleted one', async () => {
      const conditions = { all: ['q1', 'q2'].map((field) => ({ field, op: 'answered' as const })) };
      const { page } = await openBuilder(
        [
          text('q1', { label: 'Q1' }),
          text('q2', { label: 'Q2', showIf: { field: 'q1', equals: 'yes' } }),
          { ...AB, step: 2 },
        ],
        {
          jumps: [{ from: 1, to: 'end', when: conditions }],
          endings: [{ name: 'only', when: conditions }],
        },
      );
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().press('Enter');
      await page.getByRole('button', { name: 'Edit AB' }).click();
      await press('Delete option 2');
      await hasFocus(page.getByLabel('Option 1', { exact: true }), 'the option before');
      await press('Delete option 1');
      await hasFocus(page.getByRole('button', { name: 'Add option' }), 'the button that adds an option');

      await page.getByRole('button', { name: 'Jumps between steps' }).click();
      await press('Delete condition 1');
      await hasFocus(
        page.getByRole('combobox', { name: 'Field of condition 1' }),
        'the condition that follows',
      );
      await press('Delete jump 1');
      await hasFocus(page.getByRole('button', { name: 'Add jump' }), 'the button that adds a jump');
      await page.getByRole('button', { name: 'Submit button and thank-you page' }).click();
      await press('Delete ending only');
      await hasFocus(page.getByRole('button', { name: 'Add ending' }), 'the button that adds an ending');

      await press('Delete AB');
      await hasFocus(page.getByRole('button', { name: 'Edit Q2' }), 'the field before');
      await press('Delete Q1');
      await page.getByRole('button', { name: 'Delete field' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await hasFocus(page.getByRole('button', { name: 'Edit Q2' }), 'the field that follows');
      await press('Delete Q2');
      await hasFocus(page.getByRole('button', { name: 'Add field' }), 'the button that adds a field');
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
