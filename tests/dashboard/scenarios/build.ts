import type { FormField, FormOut } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Locator, Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { comeBack } from '../support/come-back.ts';
import type { Fixture } from '../support/fixture.ts';

const FIELDS: FormField[] = [
  { name: 'first', type: 'text', label: 'First' },
  { name: 'second', type: 'text', label: 'Second' },
  { name: 'third', type: 'email', label: 'Third' },
];

/** The dragged element moves on the next animation frame. */
const framesDrawn = (page: Page) =>
  page.evaluate(async () => {
    for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);
  });

export function buildScenarios(fixture: () => Fixture): void {
  describe('building a form', () => {
    const saved = async (id: string) => (await fixture().client.get<FormOut>(`/api/forms/${id}`)).body.data;
    const namesOf = async (id: string) => (await saved(id)).fields.map(({ name }) => name);
    const openBuilder = async (fields = FIELDS, options = {}) => {
      const form = await createForm(fixture().client, { name: 'Built', fields });
      return { form, page: await fixture().open(`/forms/${form.id}/build`, options) };
    };
    const save = async (page: Page) => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes published').waitFor();
    };
    const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]');

    it('switches spam protection on, with a block list, and shows the entry that is invalid', async () => {
      const { form, page } = await openBuilder(FIELDS, { expected: /422/ });
      await page.getByRole('button', { name: 'Spam protection' }).click();
      const list = page.getByLabel('Block list');
      expect(await list.isDisabled()).toBe(true);
      await page.getByRole('switch', { name: 'Send suspicious submissions to quarantine' }).check();
      await list.fill('casino\n10.0.0.0/99\n');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/^“10\.0\.0\.0\/99”: Must be an email address/).waitFor();
      expect(await violations(page)).toEqual([]);
      await list.fill('casino\n10.0.0.0/8\n');
      await save(page);
      expect((await saved(form.id)).settings).toEqual({
        spam: { isEnabled: true, blockList: ['casino', '10.0.0.0/8'] },
      });
    });

    it('adds and edits fields with steps, conditions and options, and previews them in the embed', async () => {
      const { form, page } = await openBuilder([]);
      const add = async (type: string) => {
        await page.getByRole('button', { name: 'Add field' }).click();
        await page.getByRole('menuitem', { name: type, exact: true }).click();
      };
      await page.getByRole('button', { name: 'Add field' }).click();
      const last = page.getByRole('menuitem', { name: 'Divider' });
      await last.waitFor();
      // The menu has no hidden end.
      await poll(async () => last.evaluate((item) => item.getBoundingClientRect().bottom <= innerHeight), {
        what: 'the last type in the window',
      });
      await page.keyboard.press('Escape');
      await add('Single choice');
      const editor = page.getByRole('region', { name: /^Field: / });
      await editor.getByLabel('Label', { exact: true }).fill('Your plan');
      await editor.getByLabel('Name (key)').fill('plan');
      await editor.getByText('Value', { exact: true }).waitFor();
      await editor.getByLabel('Option 1', { exact: true }).fill('team');
      await editor.getByLabel('Label of option 1').fill('For a team');
      await editor.getByLabel('Option 2', { exact: true }).fill('single');
      await editor.getByRole('switch', { name: 'Required' }).check();

      await add('Number');
      await editor.getByLabel('Label', { exact: true }).fill('How many people');
      await editor.getByLabel('Min').fill('2');
      await editor.getByLabel('Step').fill('2');
      await editor.getByRole('combobox', { name: 'Show when', exact: true }).click();
      await page.getByRole('option', { name: '“Your plan” is' }).click();
      await editor.getByRole('combobox', { name: 'Equals' }).waitFor();
      expect(await violations(page)).toEqual([]);

      // The preview follows the selected field.
      const shown = preview(page);
      await shown.getByLabel('How many people').waitFor();
      await shown.getByText('Step 2 of 2').waitFor();
      await page.getByRole('button', { name: 'Edit Your plan' }).click();
      await shown.getByRole('radio', { name: 'For a team' }).check();
      await shown.getByText('Step 1 of 2').waitFor();
      await shown.getByRole('button', { name: 'Next' }).click();
      await shown.getByLabel('How many people').fill('3');
      await shown.getByRole('button', { name: 'Submit' }).click();
      await shown.getByRole('heading', { name: 'Thank you' }).waitFor();

      await save(page);
      expect((await saved(form.id)).fields).toEqual([
        {
          name: 'plan',
          type: 'radio',
          label: 'Your plan',
          required: true,
          options: [{ value: 'team', label: 'For a team' }, { value: 'single' }],
        },
        {
          name: 'how_many_people',
          type: 'number',
          label: 'How many people',
          min: 2,
          step: 2,
          showIf: { field: 'plan', equals: 'team' },
        },
      ]);
      // The preview doesn't send submissions.
      const { body } = await fixture().client.get<unknown[]>(`/api/forms/${form.id}/submissions`);
      expect(body.data).toEqual([]);
    });

    it('edits conditions, jumps, endings and answers in texts, which follow names and the preview', async () => {
      const { form, page } = await openBuilder([
        { name: 'name', type: 'text', label: 'Your name' },
        { name: 'seats', type: 'number', label: 'Seats' },
        { name: 'why', type: 'text', label: 'Why', step: 2 },
        { name: 'end', type: 'text', label: 'Last', step: 3 },
      ]);
      const editor = page.getByRole('region', { name: /^Field: / });
      const choose = async (within: Locator, label: string, option: string) => {
        await within.getByRole('combobox', { name: label, exact: true }).click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      await page.getByRole('button', { name: 'Edit Why' }).click();
      await choose(editor, 'Show when', 'Any condition is met');
      await choose(editor, 'Operator of condition 1', 'is greater or later than');
      await editor.getByLabel('Value of condition 1').fill('9');
      await editor.getByRole('button', { name: 'Add condition' }).click();
      await choose(editor, 'Field of condition 2', 'Your name');
      await choose(editor, 'Operator of condition 2', 'is filled in');
      await editor.getByLabel('Label', { exact: true }).fill('Why, ');
      await editor.getByRole('button', { name: 'Insert value' }).first().click();
      await page.getByRole('menuitem', { name: 'Your name' }).click();

      await page.getByRole('button', { name: 'Jumps between steps' }).click();
      await page.getByRole('button', { name: 'Add jump' }).click();
      const jump = page.getByRole('region', { name: 'Jump 1' });
      await choose(jump, 'Go to', 'Step 3');
      await choose(jump, 'When', 'All conditions are met');
      await choose(jump, 'Operator of condition 1', 'is');
      await jump.getByLabel('Value of condition 1').fill('7');
      await page.getByRole('button', { name: 'Submit button and thank-you page' }).click();
      await page.getByRole('button', { name: 'Add ending' }).click();
      const ending = page.getByRole('region', { name: 'Ending: ending_1' });
      await choose(ending, 'Field of condition 1', 'Seats');
      await ending.getByLabel('Value of condition 1').fill('7');
      await ending.getByLabel('Title', { exact: true }).fill('Seven for {{name}}');
      expect(await violations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Edit Your name' }).click();
      await editor.getByLabel('Name (key)').fill('person');
      await page.locator('[aria-busy=false]', { has: page.locator('iframe') }).waitFor();
      const shown = preview(page);
      await shown.getByLabel('Your name').fill('Ada');
      await shown.getByLabel('Seats').fill('7');
      await shown.getByText('Step 1 of 2').waitFor();
      await shown.getByRole('button', { name: 'Next' }).click();
      await shown.getByLabel('Last').fill('x');
      await shown.getByRole('button', { name: 'Submit' }).click();
      await shown.getByRole('heading', { name: 'Seven for Ada' }).waitFor();

      await save(page);
      const seven = { field: 'seats', op: 'eq', value: 7 };
      expect(await saved(form.id)).toMatchObject({
        fields: [
          { name: 'person' },
          { name: 'seats' },
          {
            label: 'Why, {{person}}',
            showIf: {
              any: [
                { field: 'seats', op: 'gt', value: 9 },
                { field: 'person', op: 'answered' },
              ],
            },
          },
          { name: 'end' },
        ],
        settings: {
          jumps: [{ from: 1, to: 3, when: { all: [seven] } }],
          endings: [{ name: 'ending_1', when: { all: [seven] }, title: 'Seven for {{person}}' }],
        },
      });

      await page.getByRole('button', { name: 'Delete Seats' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete Seats?' });
      await dialog.getByText('a jump after step 1').waitFor();
      await dialog.getByRole('button', { name: 'Delete field' }).click();
      await dialog.waitFor({ state: 'detached' });
      await save(page);
      const { fields, settings } = await saved(form.id);
      expect([fields.length, settings.jumps, settings.endings]).toEqual([3, undefined, undefined]);
      expect(fields[1]?.showIf).toEqual({ any: [{ field: 'person', op: 'answered' }] });
    });

    it('keeps what refers to an option whose value is typed again after another field was edited', async () => {
      const { form, page } = await openBuilder([
        { name: 'size', type: 'radio', label: 'Size', options: [{ value: 's' }, { value: 'l' }] },
        {
          name: 'why',
          type: 'text',
          label: 'Why',
          showIf: { all: [{ field: 'size', op: 'eq', value: 'l' }] },
        },
        { name: 'utm_source', type: 'hidden' },
      ]);
      await page.getByLabel('Option 2', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Edit utm_source' }).click();
      await page.getByText('Filled in from the page’s URL (?utm_source=…)').waitFor();
      await page.getByLabel('Default value').fill('none');
      await page.getByRole('button', { name: 'Edit Size' }).click();
      await page.getByLabel('Option 2', { exact: true }).fill('large');
      await save(page);
      expect((await saved(form.id)).fields).toMatchObject([
        { options: [{ value: 's' }, { value: 'large' }] },
        { showIf: { all: [{ field: 'size', op: 'eq', value: 'large' }] } },
        { defaultValue: 'none' },
      ]);
    });

    it('brings the start of the editor of the chosen field into view, and moves nothing if it is', async () => {
      const fields = Array.from({ length: 21 }, (_, n): FormField => ({ name: `field_${n}`, type: 'text' }));
      const { page } = await openBuilder(fields);
      const editor = page.getByRole('region', { name: 'Field: field_2', exact: true });
      await page.getByRole('button', { name: 'Edit field_2', exact: true }).click();
      await editor.waitFor();
      const header = await page.getByRole('banner').evaluate((one) => one.getBoundingClientRect().bottom);
      const isInView = async () => {
        const top = await editor.evaluate((one) => one.getBoundingClientRect().top);
        return top >= header && top < 600;
      };
      await poll(isInView, { what: 'the editor below the header' });
      expect(await violations(page)).toEqual([]);

      const short = (await openBuilder()).page;
      await short.getByRole('button', { name: 'Edit Second' }).click();
      await short.getByRole('region', { name: 'Field: Second' }).waitFor();
      await framesDrawn(short);
      expect(await short.evaluate(() => scrollY)).toBe(0);
    });

    it('lists the types of a new field in columns, and arrow down goes down', async () => {
      const { page } = await openBuilder([]);
      await page.getByRole('button', { name: 'Add field' }).press('Enter');
      const types = page.getByRole('menuitem');
      await types.last().waitFor();
      const count = await types.count();
      const places: { left: number; top: number }[] = [];
      for (let n = 0; n < count; n++) {
        await page.keyboard.press('ArrowDown');
        const focused = page.locator('[role=menuitem]:focus');
        places.push(
          await focused.evaluate((item) => {
            const { left, top } = item.getBoundingClientRect();
            return { left, top };
          }),
        );
      }
      expect(new Set(places.map(({ left }) => left)).size).toBe(2);
      expect(places).toEqual(places.toSorted((one, other) => one.left - other.left || one.top - other.top));
    });

    it('names a paragraph by its text without its formatting', async () => {
      const label = 'Read our **rules** and [terms](https://example.com/terms):\n\n- be *kind*\n- be brief';
      const { page } = await openBuilder([{ name: 'rules', type: 'paragraph', label }]);
      await page.getByRole('button', { name: 'Edit Read our rules and terms: be kind be brief' }).waitFor();
    });

    it('names a new field after its label until the name is edited or saved', async () => {
      const { form, page } = await openBuilder([]);
      const editor = page.getByRole('region', { name: /^Field: / });
      const [label, name] = [editor.getByLabel('Label', { exact: true }), editor.getByLabel('Name (key)')];
      const addCheckbox = async () => {
        await page.getByRole('button', { name: 'Add field' }).click();
        await page.getByRole('menuitem', { name: 'Checkbox', exact: true }).click();
      };
      await addCheckbox();
      await label.fill('I agree to the terms');
      expect(await name.inputValue()).toBe('i_agree_to_the_terms');
      await addCheckbox();
      await name.fill('marketing');
      await label.fill('Send me offers');
      expect(await name.inputValue()).toBe('marketing');
      await save(page);
      await page.getByRole('button', { name: 'Edit I agree to the terms' }).click();
      await label.fill('I accept the terms');
      await save(page);
      expect(await namesOf(form.id)).toEqual(['i_agree_to_the_terms', 'marketing']);
    });

    it('previews the thank-you page by keyboard without moving or drawing the focus', async () => {
      const { page } = await openBuilder();
      await preview(page).getByLabel('First').waitFor();
      const choice = page.getByRole('radio', { name: 'Thank-you page' });
      await page.getByRole('radio', { name: 'Form', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      const heading = preview(page).getByRole('heading', { name: 'Thank you' });
      await heading.waitFor();
      expect(await choice.evaluate((one) => one === document.activeElement)).toBe(true);
      const done = heading.locator('..');
      await poll(async () => !(await done.evaluate((one) => one.matches(':focus'))), {
        what: 'the preview without focus',
      });
      expect(await done.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none');
    });

    it('takes negative numbers and decimals as they are typed, and undoes them', async () => {
      const field: FormField = { name: 'degrees', type: 'number', label: 'Degrees' };
      const condition = { field: 'degrees', op: 'gt', value: 1 } as const;
      const note: FormField = { name: 'note', type: 'text', label: 'Note', showIf: { all: [condition] } };
      const { form, page } = await openBuilder([field, note]);
      const editor = page.getByRole('region', { name: 'Field: Degrees' });
      const min = editor.getByLabel('Min', { exact: true });
      await min.pressSequentially('-5');
      await editor.getByLabel('Default value').pressSequentially('-0.5');
      await page.getByRole('button', { name: 'Edit Note' }).click();
      const value = page.getByLabel('Value of condition 1');
      await value.fill('');
      await value.pressSequentially('-1.5');
      await save(page);
      expect((await saved(form.id)).fields).toEqual([
        { ...field, min: -5, defaultValue: -0.5 },
        { ...note, showIf: { all: [{ ...condition, value: -1.5 }] } },
      ]);
      await page.getByRole('button', { name: 'Edit Degrees' }).click();
      await min.fill('7');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      expect(await min.inputValue()).toBe('-5');
    });

    it('orders fields by mouse, keyboard and buttons', async () => {
      const { form, page } = await openBuilder();
      const rows = page.getByRole('button', { name: /^Edit / });
      const order = async () =>
        (await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).join();
      const ordered = (expected: string) =>
        poll(async () => (await order()) === expected, { what: `the order ${expected}` });
      await rows.first().waitFor();

      await page.getByRole('button', { name: 'Move Third up' }).click();
      await ordered('Edit First,Edit Third,Edit Second');

      await page.getByRole('button', { name: 'Move First', exact: true }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Move First', exact: true, pressed: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await framesDrawn(page);
      await page.keyboard.press('Space');
      await ordered('Edit Third,Edit First,Edit Second');

      const box = async (name: string) => {
        const found = await page.getByRole('button', { name, exact: true }).boundingBox();
        if (!found) throw new Error(`${name} is not visible`);
        return { x: found.x + found.width / 2, y: found.y + found.height / 2 };
      };
      const drag = async () => {
        const [from, to] = [await box('Move Second'), await box('Move Third')];
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x, from.y - 20, { steps: 4 });
        await page.mouse.move(to.x, to.y - 8, { steps: 8 });
        await framesDrawn(page);
        await page.mouse.up();
        await framesDrawn(page);
      };
      const wanted = 'Edit Second,Edit Third,Edit First';
      // Repeats a drag that a busy page missed.
      await poll(async () => (await order()) === wanted || (await drag(), (await order()) === wanted), {
        what: `the order ${wanted}`,
        everyMs: 300,
      });

      await save(page);
      expect(await namesOf(form.id)).toEqual(['second', 'third', 'first']);
    });

    it('changes the theme, the texts and the thank-you message', async () => {
      const { form, page } = await openBuilder();
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByLabel('Button color').fill('#aa0000');
      await page.getByRole('button', { name: 'Submit button and thank-you page' }).click();
      await page.getByLabel('Submit button label').fill('Off it goes');
      await page.getByLabel('Thank-you title').fill('We have it');
      const button = preview(page).getByRole('button', { name: 'Off it goes' });
      await button.waitFor();
      expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(170, 0, 0)');
      await page.getByText('Thank-you page', { exact: true }).click();
      await preview(page).getByRole('heading', { name: 'We have it' }).waitFor();
      await save(page);
      expect((await saved(form.id)).settings).toEqual({
        theme: { accent: '#aa0000' },
        submitLabel: 'Off it goes',
        thankYou: { title: 'We have it' },
      });
    });

    it('undoes deletions, moves and edits, and saves by keyboard alone', async () => {
      const { form, page } = await openBuilder();
      const fieldNames = () =>
        page
          .getByRole('list', { name: 'Fields' })
          .getByRole('button', { name: /^Edit / })
          .evaluateAll((buttons) => buttons.map((button) => button.textContent));
      const until = (expected: string[]) =>
        poll(async () => (await fieldNames()).join() === expected.join(), { what: expected.join() });
      await page.getByRole('button', { name: 'Delete Second' }).focus();
      await page.keyboard.press('Enter');
      await until(['First', 'Third']);
      await page.getByText('“Second” deleted.').waitFor();
      await page.keyboard.press('Control+z');
      await until(['First', 'Second', 'Third']);
      await page.keyboard.press('Control+Shift+Z');
      await until(['First', 'Third']);
      await page.keyboard.press('Control+z');
      await page.getByRole('button', { name: 'Move Third up' }).focus();
      await page.keyboard.press('Enter');
      await until(['First', 'Third', 'Second']);
      await page.getByText('Field moved.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
      await until(['First', 'Second', 'Third']);
      await page.getByRole('button', { name: 'Edit First' }).focus();
      await page.keyboard.press('Enter');
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Renamed');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await until(['First', 'Second', 'Third']);
      await label.fill('Your name');
      await page.keyboard.press('Control+s');
      await page.getByText('Draft saved.').first().waitFor();
      await page.getByText('Draft saved, not published').waitFor();
      await save(page);
      expect((await saved(form.id)).fields[0]?.label).toBe('Your name');
    });

    it('has nothing to undo after the form of somebody else replaced the draft', async () => {
      const { client } = fixture();
      const { form, page } = await openBuilder(FIELDS, { expected: /409/ });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      const saveButton = page.getByRole('button', { name: 'Save', exact: true });
      const undo = page.getByRole('button', { name: 'Undo', exact: true });
      const saveTheirs = (theirs: string) =>
        client.put(`/api/forms/${form.id}?draft=true`, {
          body: { ...form, fields: [{ ...FIELDS[0], label: theirs }, ...FIELDS.slice(1)] },
          expect: 200,
        });
      await label.fill('Mine');
      expect(await undo.isEnabled()).toBe(true);
      await saveButton.click();
      await page.getByText('Draft saved.').first().waitFor();
      await saveTheirs('Theirs');
      await comeBack(page, page.getByRole('button', { name: 'Edit Theirs' }));
      expect(await undo.isEnabled()).toBe(false);

      await label.fill('Mine again');
      await saveTheirs('Theirs again');
      await saveButton.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard my changes' }).click();
      await page.getByRole('button', { name: 'Edit Theirs again' }).waitFor();
      expect(await undo.isEnabled()).toBe(false);
    });

    it('previews the step of the selected field, the thank-you page, a popup and a phone', async () => {
      const { page } = await openBuilder([
        { name: 'first', type: 'text', label: 'First', required: true },
        { name: 'second', type: 'text', label: 'Second', step: 2 },
        { name: 'third', type: 'text', label: 'Third', step: 3, showIf: { field: 'first', equals: 'x' } },
      ]);
      await preview(page).getByText('Step 1 of').waitFor();
      await page.getByRole('button', { name: 'Edit Second' }).click();
      await preview(page).getByLabel('Second').waitFor();
      await page.getByRole('button', { name: 'Edit Third' }).click();
      await preview(page).getByLabel('Third').waitFor();
      await page.getByRole('button', { name: 'Submit button and thank-you page' }).click();
      await page.getByLabel('Thank-you title').click();
      await preview(page).getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(await page.getByLabel('Thank-you title').evaluate((one) => one === document.activeElement)).toBe(
        true,
      );
      await page.getByRole('button', { name: 'Edit First' }).click();
      await preview(page).getByLabel('First').waitFor();
      await page.getByRole('radiogroup', { name: 'Display mode' }).getByText('Popup').click();
      await preview(page).getByRole('dialog').getByLabel('First').waitFor();
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.press('End');
      await label.pressSequentially(' name');
      await preview(page).getByRole('dialog').getByLabel('First name').waitFor();
      // The modal takes the focus when it opens, and the dashboard takes it back.
      await poll(() => label.evaluate((one) => one === document.activeElement), { what: 'the focus' });
      await page.getByRole('button', { name: 'Edit Third' }).click();
      await preview(page).getByRole('dialog').getByLabel('Third').waitFor();
      await page.getByRole('button', { name: 'Edit First name' }).click();
      await preview(page).getByRole('dialog').getByLabel('First name').waitFor();
      await page.getByRole('radiogroup', { name: 'Device' }).getByText('Phone').click();
      const frame = page.locator('iframe[title="Preview of the form"]');
      await poll(async () => ((await frame.boundingBox())?.width ?? 0) <= 375, { what: 'a narrow frame' });
      expect(await violations(page)).toEqual([]);
    });

    it('previews the ending that is edited', async () => {
      const { page } = await openBuilder([{ name: 'seats', type: 'number', label: 'Seats' }]);
      await page.getByRole('button', { name: 'Submit button and thank-you page' }).click();
      for (const n of [1, 2]) {
        await page.getByRole('button', { name: 'Add ending' }).click();
        const ending = page.getByRole('region', { name: `Ending: ending_${n}` });
        await ending.getByLabel('Title', { exact: true }).click();
        await page.keyboard.type(`The end ${n}`);
        await preview(page)
          .getByRole('heading', { name: `The end ${n}` })
          .waitFor();
      }
      await page.getByRole('region', { name: 'Ending: ending_1' }).getByLabel('Name (key)').click();
      await preview(page).getByRole('heading', { name: 'The end 1' }).waitFor();
      await page.getByLabel('Thank-you title').click();
      await preview(page).getByRole('heading', { name: 'Thank you' }).waitFor();

      await page.getByRole('button', { name: 'Delete ending ending_1' }).click();
      await page.getByRole('region', { name: 'Ending: ending_1' }).waitFor({ state: 'detached' });
      await poll(
        async () =>
          (await page.getByRole('region', { name: 'Preview' }).getAttribute('aria-busy')) === 'false',
        {
          what: 'the preview without the ending',
        },
      );
      await preview(page).getByRole('heading', { name: 'Thank you' }).waitFor();
    });

    it('adds a paragraph, a picture and a consent, and previews them', async () => {
      const { form, page } = await openBuilder([], { expected: /422/ });
      const add = async (type: string) => {
        await page.getByRole('button', { name: 'Add field' }).click();
        await page.getByRole('menuitem', { name: type, exact: true }).click();
      };
      await add('Paragraph');
      await page.getByLabel('Text', { exact: true }).fill('Read our [news](https://example.com/news).');
      await preview(page).getByRole('link', { name: 'news' }).waitFor();
      await add('Consent');
      await page.getByLabel('Text', { exact: true }).fill('I accept the [terms](javascript:x)');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByText(/has a link to "javascript:x"/i)
        .first()
        .waitFor();
      await page.getByLabel('Text', { exact: true }).fill('I accept the [terms](https://example.com/terms)');
      await preview(page).getByRole('checkbox', { name: 'I accept the terms' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Form details' }).click();
      await page.getByLabel('Title', { exact: true }).fill('Write to us');
      await page.getByLabel('Intro').fill('We reply **soon**.');
      await preview(page).getByRole('heading', { name: 'Write to us' }).waitFor();
      await preview(page).getByText('We reply soon.').waitFor();
      await save(page);
      expect(await saved(form.id)).toMatchObject({
        name: 'Built',
        title: 'Write to us',
        intro: 'We reply **soon**.',
      });
      expect((await saved(form.id)).fields).toEqual([
        { name: 'paragraph', type: 'paragraph', label: 'Read our [news](https://example.com/news).' },
        { name: 'consent', type: 'consent', label: 'I accept the [terms](https://example.com/terms)' },
      ]);
    });

    it('warns about the contrast of a form that was created with it, in front of the closed theme', async () => {
      const settings = { theme: { background: '#ffffff', text: '#eeeeee' } };
      const form = await createForm(fixture().client, { name: 'Pale', fields: FIELDS, settings });
      const page = await fixture().open(`/forms/${form.id}/build`);
      await page.getByRole('button', { name: 'Theme' }).getByText('Hard to read').waitFor();
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByText(/^Text on background: [\d.]+:1\. WCAG AA needs at least 4\.5:1\.$/).waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('edits a ready theme, previews it, and warns about its contrast', async () => {
      const { form, page } = await openBuilder(FIELDS, { expected: /422/ });
      const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
      await page.route('https://example.com/logo.svg', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: logo }),
      );
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByLabel('Logo URL').fill('https://example.com/logo.svg');
      await page.getByRole('button', { name: 'Use the theme Midnight' }).click();
      const frame = preview(page).locator('.root');
      const look = (property: 'backgroundColor' | 'borderRadius' | 'fontFamily') =>
        frame.evaluate((root, name) => getComputedStyle(root)[name], property);
      await poll(async () => (await look('backgroundColor')) === 'rgb(20, 22, 43)', {
        what: 'the background of Midnight in the preview',
      });
      expect(await look('borderRadius')).toBe('14px');
      expect(await violations(page)).toEqual([]);

      await page.getByLabel('Text color').fill('#2a2a40');
      await page.getByText(/^Text on background: [\d.]+:1\. WCAG AA needs at least 4\.5:1\.$/).waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByText(/contrast/i)
        .nth(1)
        .waitFor();
      expect((await saved(form.id)).settings.theme).toBeUndefined();
      await page.getByLabel('Text color').fill('#ffffff');
      await page.getByText('Low contrast').waitFor({ state: 'detached' });

      await page.getByText('Compact', { exact: true }).click();
      await page.getByLabel('Maximum width (px)').fill('480');
      await page.getByRole('combobox', { name: 'Font' }).click();
      await page.getByRole('option', { name: 'Serif' }).click();
      await poll(async () => (await look('fontFamily')).includes('Georgia'), { what: 'the serif font' });
      await save(page);
      expect((await saved(form.id)).settings.theme).toEqual({
        colorScheme: 'dark',
        accent: '#8b9dff',
        background: '#14162b',
        text: '#ffffff',
        radius: 14,
        logo: 'https://example.com/logo.svg',
        density: 'compact',
        width: 480,
        font: 'Charter, Georgia, serif',
      });
    });

    it('shows errors at the field and keeps the input', async () => {
      const { form, page } = await openBuilder(FIELDS, { expected: /422/ });
      await page.getByRole('button', { name: 'Edit Second' }).click();
      await page.getByLabel('Name (key)').first().fill('first');
      await page.getByRole('button', { name: 'Edit First' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      // The screen opens the invalid field.
      const editor = page.getByRole('region', { name: 'Field: Second' });
      await editor.getByText('is the name of an earlier field').waitFor();
      // The toast names the field as the user does.
      await page.getByText('“Second”: Is the name of an earlier field').waitFor();
      expect(await editor.getByLabel('Name (key)').inputValue()).toBe('first');
      await editor.getByLabel('Name (key)').fill('other');
      await save(page);
      expect(await namesOf(form.id)).toEqual(['first', 'other', 'third']);
    });

    it('publishes right after a save without a conflict', async () => {
      const { form, page } = await openBuilder();
      let respond = (): void => {};
      const isSlow = new Promise<void>((resolve) => (respond = resolve));
      await page.route(`**/api/forms/${form.id}?draft=true`, async (route) => {
        if (route.request().method() === 'PUT') await isSlow;
        await route.continue();
      });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Saved twice');
      await page.keyboard.press('Control+s');
      const publish = page.getByRole('button', { name: 'Publish', exact: true });
      const click = publish.click();
      await framesDrawn(page);
      respond();
      await click;
      await page.getByText('All changes published').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect((await saved(form.id)).fields[0]?.label).toBe('Saved twice');
    });

    it('offers a choice after a conflict and keeps the input', async () => {
      const { form, page } = await openBuilder(FIELDS, { expected: /409/ });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Mine');
      await fixture().client.put(`/api/forms/${form.id}`, {
        body: { ...(await saved(form.id)), name: 'Renamed by somebody' },
        expect: 200,
      });
      const saveButton = page.getByRole('button', { name: 'Save', exact: true });
      await saveButton.click();
      const dialog = page.getByRole('dialog', { name: 'This form was saved somewhere else' });
      await dialog.getByRole('button', { name: 'Decide later' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await label.inputValue()).toBe('Mine');
      expect((await saved(form.id)).fields).toEqual(FIELDS);

      await saveButton.click();
      await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
      await page.getByText('Draft saved.').first().waitFor();
      const path = `/api/forms/${form.id}?draft=true`;
      const draft = (await fixture().client.get<FormOut>(path)).body.data;
      expect(draft.fields[0]?.label).toBe('Mine');

      await label.fill('Mine again');
      await fixture().client.put(path, { body: { ...draft, fields: FIELDS }, expect: 200 });
      await saveButton.click();
      await dialog.getByRole('button', { name: 'Discard my changes' }).click();
      await page.getByRole('button', { name: 'Edit First' }).waitFor();
      expect(await label.inputValue()).toBe('First');
    });

    it('says that the form was deleted, and saves what was edited as a new form', async () => {
      const { form, page } = await openBuilder(FIELDS, { expected: /404|There is no such form/ });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Mine');
      await fixture().client.delete(`/api/forms/${form.id}`, { expect: 204 });
      const saveButton = page.getByRole('button', { name: 'Save', exact: true });
      await saveButton.click();
      const dialog = page.getByRole('dialog', { name: 'This form was deleted' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Decide later' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await label.inputValue()).toBe('Mine');

      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByRole('button', { name: 'Save as a new form' }).click();
      await page.waitForURL((url) => !url.pathname.includes(form.id) && url.pathname.endsWith('/build'));
      await page.getByRole('button', { name: 'Edit Mine' }).waitFor();
      const id = new URL(page.url()).pathname.split('/')[2] ?? '';
      expect((await saved(id)).fields[0]?.label).toBe('Mine');

      await label.fill('Not needed');
      await fixture().client.delete(`/api/forms/${id}`, { expect: 204 });
      await saveButton.click();
      await dialog.getByRole('button', { name: 'Discard and go to forms' }).click();
      await page.getByRole('heading', { name: 'Forms', exact: true }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    });

    it('warns about unsaved changes', async () => {
      const { page } = await openBuilder();
      await page
        .getByRole('region', { name: /^Field: / })
        .getByLabel('Label', { exact: true })
        .fill('Changed');
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Forms' }).click();
      await page.getByRole('button', { name: 'Stay on page' }).click();
      await page.getByRole('button', { name: 'Edit Changed' }).waitFor();
    });

    it('asks about unsaved changes before the session ends', async () => {
      const { page } = await openBuilder(FIELDS, { as: await fixture().newUser('admin') });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Changed');
      const logOut = async () => {
        await page.getByRole('button', { name: 'Your account' }).click();
        await page.getByRole('menuitem', { name: 'Log out' }).click();
      };
      await logOut();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await dialog.getByRole('button', { name: 'Stay on page' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Draft saved.').waitFor();

      await label.fill('Not needed');
      await logOut();
      await dialog.getByRole('button', { name: 'Leave without saving' }).click();
      await page.waitForURL('**/login');
      expect((await page.context().request.get('/api/auth/me')).status()).toBe(401);
    });
  });
}
