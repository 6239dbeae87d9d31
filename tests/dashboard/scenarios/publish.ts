import type { FormOut, FormSettings, GroupOut } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import { comeBack } from '../support/come-back.ts';
import type { Fixture } from '../support/fixture.ts';

export function publishScenarios(fixture: () => Fixture): void {
  describe('publishing a form', () => {
    const live = async (id: string) => (await fixture().client.get<FormOut>(`/api/forms/${id}`)).body.data;

    it('shows a new form to visitors once it is published', async () => {
      const name = `Unpublished ${Date.now()}`;
      const page = await fixture().open('/forms?new=true');
      const dialog = page.getByRole('dialog', { name: 'New form' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await dialog.getByRole('button', { name: 'Create form' }).click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      await page.getByText('Draft', { exact: true }).waitFor();
      const [, id = ''] = /forms\/(\w+)\/build/.exec(page.url()) ?? [];
      const { visitor } = fixture();
      expect((await visitor.get(`/embed/forms/${id}.json`)).status).toBe(404);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('button', { name: 'Publish without fields' }).click();
      await page.getByText('Published · Version 1').waitFor();
      await poll(async () => (await visitor.get(`/embed/forms/${id}.json`)).status === 200, {
        what: 'the public form',
      });
      expect(await live(id)).toMatchObject({ name, version: 1 });
    });

    it('compares the draft with the published form, publishes it, and goes back', async () => {
      const form = await createForm(fixture().client, { name: 'Compared' });
      const page = await fixture().open(`/forms/${form.id}/build`);
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Your email');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Unpublished changes').waitFor();
      expect((await live(form.id)).fields).toEqual(form.fields);

      await page.getByRole('link', { name: 'Publish', exact: true }).click();
      const draft = page.getByRole('region', { name: 'Draft' });
      await draft.getByText('Field “Your email” › Label').waitFor();
      await draft.getByText('Your email', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published · Version 2').waitFor();
      expect((await live(form.id)).fields[0]?.label).toBe('Your email');

      await page.getByRole('cell', { name: 'First key' }).waitFor();
      await page.getByRole('button', { name: 'Compare version 1' }).click();
      const dialog = page.getByRole('dialog', { name: 'Version 1 → version 2' });
      await dialog.getByText('Field “Your email” › Label').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Unpublished changes').waitFor();
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published · Version 3').waitFor();
      expect((await live(form.id)).fields).toEqual(form.fields);
    });

    it('says that somebody else has changed the draft since, and publishes it after a look', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: 'Mine' });
      const path = `/api/forms/${form.id}?draft=true`;
      await client.put(path, { body: { ...form, name: 'Seen' }, expect: 200 });
      const page = await open(`/forms/${form.id}/publish`, { expected: /409/ });
      const draft = page.getByRole('region', { name: 'Draft' });
      await draft.getByText('Seen').waitFor();
      await client.put(path, { body: { ...form, name: 'Theirs' }, expect: 200 });
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await draft.getByRole('alert').getByText('This form was saved somewhere else').waitFor();
      expect(await draft.getByText('ETag').count()).toBe(0);
      await draft.getByText('Theirs').waitFor();
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published · Version 2').waitFor();
      expect((await live(form.id)).name).toBe('Theirs');
    });

    it.each([
      ['Discard draft', 'Draft', 'the draft wasn’t discarded', 'Draft discarded.', 'Second'],
      ['Restore version 1', 'Versions', 'nothing was restored', 'Version 1 is the draft now.', 'First'],
    ])('keeps what somebody else has saved since from “%s”', async (name, section, refused, done, after) => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: 'First' });
      await client.put(`/api/forms/${form.id}`, { body: { ...form, name: 'Second' }, expect: 200 });
      const path = `/api/forms/${form.id}?draft=true`;
      await client.put(path, { body: { ...form, name: 'Seen' }, expect: 200 });
      const page = await open(`/forms/${form.id}/publish`, { expected: /409/ });
      const draft = page.getByRole('region', { name: 'Draft' });
      await draft.getByText('Seen').waitFor();
      await client.put(path, { body: { ...form, name: 'Theirs' }, expect: 200 });
      const confirm = async () => {
        await page.getByRole('button', { name }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Discard|Restore)/ })
          .click();
      };
      await confirm();
      const alert = page.getByRole('region', { name: section, exact: true }).getByRole('alert');
      await alert.getByText(refused).waitFor();
      await draft.getByText('Theirs').waitFor();
      expect((await client.get<FormOut>(path)).body.data.name).toBe('Theirs');
      await confirm();
      await page.getByText(done).waitFor();
      expect(await alert.count()).toBe(0);
      expect((await client.get<FormOut>(path)).body.data.name).toBe(after);
    });

    it('names what a draft changes as the screens do: labels, and people and groups by their names', async () => {
      const { client, open } = fixture();
      const name = `Finance ${Date.now()}`;
      const { body } = await client.post<GroupOut>('/api/groups', { body: { name }, expect: 201 });
      const form = await createForm(client, { name: 'Worded' });
      const [email, message] = form.fields;
      const when = { all: [{ field: 'email', op: 'answered' }] };
      const draft = {
        name: form.name,
        fields: [
          { ...email, label: 'Your email' },
          { ...message, type: 'text', showIf: when },
        ],
        settings: { popup: { enabled: true, trigger: 'exit' }, reviewers: { groups: [body.data.id] } },
      };
      await client.put(`/api/forms/${form.id}?draft=true`, { body: draft, expect: 200 });
      const page = await open(`/forms/${form.id}/publish`);
      const changes = page.getByRole('region', { name: 'Draft' }).getByRole('list');
      await changes.getByText(name, { exact: true }).waitFor();
      const words = await changes.innerText();
      expect(words).toContain('Long text → Short text');
      expect(words).toContain('“Your email” is filled in');
      expect(words).toContain('Exit intent');
      expect(words).not.toMatch(/grp_|[{}]|textarea|\btrue\b/);
    });

    const message = 'Must be the id of a group of the account';
    /**
     * A form with a draft that names a group that was deleted since, in its policy or as `named`.
     */
    async function createRefused(
      named: (id: string) => FormSettings = (id) => ({ tasks: { policy: { groups: [id] } } }),
    ): Promise<FormOut> {
      const { client, newUser } = fixture();
      const group = { name: `Gone ${Date.now()}`, members: [(await newUser('reviewer')).id] };
      const { body } = await client.post<GroupOut>('/api/groups', { body: group, expect: 201 });
      const form = await createForm(client, { name: 'Refused' });
      const settings = { ...form.settings, ...named(body.data.id) };
      const path = `/api/forms/${form.id}`;
      await client.put(path, { body: { ...form, settings }, expect: 200 });
      await client.put(path, { body: form, expect: 200 });
      await client.delete(`/api/groups/${body.data.id}`, { expect: 204 });
      // The version before, because no draft or form may name the group when it is deleted.
      await client.post(`${path}/versions/2/restore`, { expect: 200 });
      return { ...form, settings };
    }

    it('says that a group was deleted, and shows its id while groups are unknown', async () => {
      const form = await createRefused();
      const id = form.settings.tasks?.policy?.groups?.[0] ?? '';
      const page = await fixture().open(`/forms/${form.id}/publish`, { expected: /ERR_FAILED/ });
      const changes = page.getByRole('region', { name: 'Draft' }).getByRole('list');
      await changes.getByText('a deleted group', { exact: true }).waitFor();
      await page.route('**/api/groups?*', (route) => route.abort('failed'));
      await page.reload();
      await changes.getByText(id, { exact: true }).waitFor();
      await page.unroute('**/api/groups?*');
    });

    it('names the settings that keep a draft from being published, and marks their inputs', async () => {
      const form = await createRefused();
      const page = await fixture().open(`/forms/${form.id}/publish`, { expected: /422/ });
      const draft = page.getByRole('region', { name: 'Draft' });
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await draft.getByRole('alert').getByText(`Build, Approvals: ${message}`).waitFor();

      await page.getByRole('link', { name: 'Build', exact: true }).click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('alert').getByText(`Build, Approvals: ${message}`).waitFor();
      await page.getByText(message, { exact: true }).waitFor();
    });

    it('corrects a draft that escalates to a deleted group', async () => {
      const form = await createRefused((id) => ({ tasks: { escalateAfterSeconds: 3600, escalateTo: id } }));
      const page = await fixture().open(`/forms/${form.id}/build`, { expected: /422/ });
      await page.getByRole('button', { name: 'Approvals' }).click();
      const escalation = page.getByLabel('Escalate to group');
      await escalation.waitFor();
      expect(await escalation.inputValue()).toBe(form.settings.tasks?.escalateTo);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText(message, { exact: true }).waitFor();
      await escalation.selectOption('No escalation');
      await page.getByLabel('Escalation after (hours)').fill('');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes published').waitFor();
      expect((await live(form.id)).settings.tasks).toBeUndefined();
    });

    it('names the settings that keep the draft of a deleted form from being saved as a new form', async () => {
      const form = await createRefused();
      const page = await fixture().open(`/forms/${form.id}/build`, { expected: /404|422/ });
      const publish = page.getByRole('button', { name: 'Publish', exact: true });
      await publish.waitFor();
      await fixture().client.delete(`/api/forms/${form.id}`, { expect: 204 });
      await publish.click();
      const dialog = page.getByRole('dialog', { name: 'This form was deleted' });
      await dialog.getByRole('button', { name: 'Save as a new form' }).click();
      await page.getByRole('alert').getByText(`Build, Approvals: ${message}`).waitFor();
    });

    it('closes a form at once, and keeps the draft', async () => {
      const form = await createForm(fixture().client, { name: 'To close' });
      const body = { ...form, name: 'Renamed' };
      await fixture().client.put(`/api/forms/${form.id}?draft=true`, { body, expect: 200 });
      const page = await fixture().open(`/forms/${form.id}/publish`);
      const closing = page.getByRole('region', { name: 'Closing' });
      await closing.getByRole('switch', { name: 'Close the form now' }).check();
      await closing.getByLabel('Text for visitors').fill('See you next year.');
      await closing.getByRole('button', { name: 'Save closing settings' }).click();
      await page.getByText('Closed · Version 2').waitFor();
      const expected = { isClosed: true, message: 'See you next year.' };
      expect(await live(form.id)).toMatchObject({ name: 'To close', settings: { closing: expected } });
      const draft = await fixture().client.get<FormOut>(`/api/forms/${form.id}?draft=true`);
      expect(draft.body.data).toMatchObject({ name: 'Renamed', settings: { closing: expected } });
    });

    it('asks before unsaved closing settings are lost', async () => {
      const form = await createForm(fixture().client, { name: 'Not closed yet' });
      const page = await fixture().open(`/forms/${form.id}/publish`);
      const message = page.getByLabel('Text for visitors');
      await message.fill('See you next year.');
      const tab = page.getByRole('link', { name: 'Build', exact: true });
      await tab.click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay on page' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await message.inputValue()).toBe('See you next year.');

      await page.getByRole('button', { name: 'Save closing settings' }).click();
      await page.getByText('Closing settings saved.').waitFor();
      await page.getByRole('button', { name: 'Save closing settings', disabled: true }).waitFor();
      await tab.click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
    });

    it('closes a form without losing what somebody else has saved in its draft since', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: 'With a draft' });
      const path = `/api/forms/${form.id}?draft=true`;
      await client.put(path, { body: { ...form, name: 'Before' }, expect: 200 });
      const page = await open(`/forms/${form.id}/publish`);
      const closing = page.getByRole('region', { name: 'Closing' });
      await closing.getByRole('switch', { name: 'Close the form now' }).check();
      await client.put(path, { body: { ...form, name: 'Theirs' }, expect: 200 });
      await closing.getByRole('button', { name: 'Save closing settings' }).click();
      await page.getByText('Closed · Version 2').waitFor();
      await page.getByText('Closing settings saved.').waitFor();
      const draft = (await client.get<FormOut>(path, { expect: 200 })).body.data;
      expect(draft).toMatchObject({ name: 'Theirs', settings: { closing: { isClosed: true } } });
    });

    it('keeps closing settings that somebody else has saved since', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: 'Closed by two' });
      const saveClosing = (closing: object) =>
        client.put(`/api/forms/${form.id}`, {
          body: { ...form, settings: { ...form.settings, closing } },
          expect: 200,
        });
      const page = await open(`/forms/${form.id}/publish`, { expected: /409/ });
      const closing = page.getByRole('region', { name: 'Closing' });
      const isClosed = closing.getByRole('switch', { name: 'Close the form now' });
      const save = closing.getByRole('button', { name: 'Save closing settings' });
      await isClosed.waitFor();
      await saveClosing({ isClosed: true });
      await comeBack(page, page.getByText('Closed · Version 2'));
      expect([await isClosed.isChecked(), await save.isEnabled()]).toEqual([true, false]);

      const message = closing.getByLabel('Text for visitors');
      await message.fill('Mine');
      await saveClosing({ isClosed: true, maxSubmissions: 5 });
      await comeBack(page, page.getByText('Closed · Version 3'));
      await save.click();
      await closing.getByRole('alert').waitFor();
      expect((await live(form.id)).settings.closing).toEqual({ isClosed: true, maxSubmissions: 5 });
      // The inputs have what the other person saved, and what this one typed.
      await poll(async () => (await closing.getByLabel('Maximum submissions').inputValue()) === '5', {
        what: 'the maximum of the other person',
      });
      expect(await message.inputValue()).toBe('Mine');
      await save.click();
      await page.getByText('Closed · Version 4').waitFor();
      const both = { isClosed: true, maxSubmissions: 5, message: 'Mine' };
      expect((await live(form.id)).settings.closing).toEqual(both);
    });

    it('says that the year of the closing time is too late, and stays usable', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: 'Closed in the far future' });
      const page = await open(`/forms/${form.id}/publish`);
      const closing = page.getByRole('region', { name: 'Closing' });
      const save = closing.getByRole('button', { name: 'Save closing settings' });
      const time = closing.getByLabel('Closes at');
      await time.fill('20271-01-31T10:00');
      await closing.getByText('Enter a year up to 9999.').waitFor();
      expect(await save.isEnabled()).toBe(false);
      expect(await violations(page)).toEqual([]);
      await time.fill('2099-01-31T10:00');
      await save.click();
      await page.getByText('Published · Version 2').waitFor();
      expect((await live(form.id)).settings.closing).toEqual({ closesAt: '2099-01-31T10:00:00.000Z' });
    });
  });
}
