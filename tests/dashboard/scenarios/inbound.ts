import type { FormOut, InboundOut, SubmissionOut } from '@svcforms/contracts';
import { createForm, openInbound, poll, sendInbound } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { comeBack } from '../support/come-back.ts';
import type { Fixture } from '../support/fixture.ts';

const FIELDS = [
  { name: 'email', type: 'email', label: 'Email' },
  { name: 'full_name', type: 'text' },
  { name: 'note', type: 'text' },
];

/** Runs the command in a shell, with the given token and secret. */
async function runCommand(command: string, values: Readonly<Record<string, string>>): Promise<unknown> {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}='[^']*'`, 'm'), `${name}='${value}'`),
    command,
  );
  const { stdout } = await promisify(execFile)('sh', ['-c', filled.replace('curl ', 'curl -sS ')]);
  return JSON.parse(stdout) as unknown;
}

/** Reads the secret from the dialog and closes it. */
async function takeSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  const secret = await dialog.getByRole('textbox').inputValue();
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

/** The id of the endpoint on the screen. */
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

const requestRows = (page: Page) => page.getByRole('table', { name: 'Request log' }).getByRole('row');

export function inboundScenarios(fixture: () => Fixture): void {
  describe('inbound endpoints', () => {
    it('show a working token once; after a rotation, the old one fails and the request log says why', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const page = await open(`/forms/${form.id}`, { expected: /404/ });
      await page.getByRole('link', { name: 'Inbound' }).click();
      await page.getByRole('button', { name: 'Create endpoint' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create inbound endpoint' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create endpoint' }).click();
      const token = await takeSecret(page, 'Inbound endpoint created');
      expect(token).toMatch(/^svc_inb_/);
      expect(await page.content()).not.toContain(token);

      const command = await page.getByRole('region', { name: 'curl', exact: true }).innerText();
      expect(await runCommand(command, { TOKEN: token })).toMatchObject({ success: true });
      await requestRows(page).filter({ hasText: 'Accepted' }).waitFor();

      await page.getByRole('button', { name: 'Rotate token' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click();
      const next = await takeSecret(page, 'Token rotated');
      expect(await runCommand(command, { TOKEN: token })).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
      expect(await runCommand(command, { TOKEN: next })).toMatchObject({ success: true });
      await requestRows(page)
        .filter({ hasText: 'Rejected (401)' })
        .getByText('The token is missing or wrong. (UNAUTHORIZED)')
        .waitFor();

      await page.getByRole('switch', { name: 'Enabled' }).press('Space');
      await page.getByText('This endpoint is disabled.').waitFor();
      expect(await runCommand(command, { TOKEN: next })).toMatchObject({ code: 'ENDPOINT_DISABLED' });
      await requestRows(page).filter({ hasText: 'The endpoint was disabled.' }).waitFor();
      expect(await violations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Create endpoint' }).waitFor();
      await client.get(`/api/forms/${form.id}/inbound`, { expect: 404 });
    });

    it('say that they reject everything until the form is published, and why they did', async () => {
      const { client, open } = fixture();
      const body = { name: 'Unpublished', fields: FIELDS };
      const form = (await client.post<FormOut>('/api/forms?draft=true', { body, expect: 201 })).body.data;
      const inbound = await openInbound(client, form.id);
      await sendInbound(client, inbound, { email: 'ada@example.com' }, { expect: 404 });
      const page = await open(`/forms/${form.id}/integrations`);
      const warning = page.getByText(
        'This form isn’t published, so its inbound endpoints reject all requests.',
      );
      await warning.waitFor();
      expect(await violations(page)).toEqual([]);
      await requestRows(page).getByText('The form wasn’t published. (NOT_FOUND)').waitFor();
      await page.getByRole('link', { name: 'Publish it' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published · Version 1').waitFor();
      await page.getByRole('link', { name: 'Inbound' }).click();
      await requestRows(page).first().waitFor();
      expect(await warning.count()).toBe(0);

      const closed = { ...form, settings: { ...form.settings, closing: { isClosed: true } } };
      await client.put(`/api/forms/${form.id}`, { body: closed, expect: 200 });
      await sendInbound(client, inbound, { email: 'ada@example.com' }, { expect: 403 });
      await requestRows(page).getByText('The form was closed. (FORM_CLOSED)').waitFor();
    });

    it('require a signature with a secret that is shown once, and refuse unsigned requests', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: "It's quoted", fields: FIELDS });
      const { token } = await openInbound(client, form.id);
      const page = await open(`/forms/${form.id}/integrations`, { expected: /422/ });
      const unsigned = page.getByRole('region', { name: 'curl', exact: true });
      const plain = await unsigned.innerText();
      await page.getByRole('button', { name: 'Change request signing' }).click();
      const dialog = page.getByRole('dialog', { name: 'Request signing' });
      await dialog.getByLabel('Required: generate a secret').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      const secret = await takeSecret(page, 'Signing secret');
      await page.getByText('Required', { exact: true }).waitFor();

      // Only the command that fits the signing is shown.
      await unsigned.waitFor({ state: 'detached' });
      const signed = await page.getByRole('region', { name: 'curl with a signature' }).innerText();
      expect(await runCommand(plain, { TOKEN: token })).toMatchObject({ code: 'INVALID_SIGNATURE' });
      expect(await runCommand(signed, { TOKEN: token, SECRET: secret })).toMatchObject({ success: true });
      await requestRows(page).filter({ hasText: 'The signature is missing' }).waitFor();

      await page.getByRole('button', { name: 'Change request signing' }).click();
      await dialog.getByLabel('Off').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Off', { exact: true }).waitFor();
      expect(await runCommand(plain, { TOKEN: token })).toMatchObject({ success: true });
    });

    it('map the keys of a pasted sample to fields', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const inbound = await openInbound(client, form.id);
      const page = await open(`/forms/${form.id}/integrations`);
      const sent = {
        'E-Mail': 'ada@example.com',
        fullName: 'Ada <b>King</b>',
        'It’s': 'kept',
        '<i>x</i>': 'a note',
      };
      const sample = page.getByLabel('Sample (JSON)');
      await sample.fill(JSON.stringify(sent).slice(0, -1));
      await page.getByText('This isn’t valid JSON.').waitFor();
      await sample.fill(JSON.stringify(sent));
      await page.getByText('We matched 2 keys with fields.').waitFor();
      expect(await page.getByLabel('Field for E-Mail').inputValue()).toBe('email');
      const select = page.getByLabel('Field for <i>x</i>');
      await select.selectOption('email');
      await page.getByText('Another key is mapped to this field.').first().waitFor();
      await page.getByText('The endpoint rejects this sample:').waitFor();
      await page.getByText(/^Email \(<i>x<\/i>\): must be an email/).waitFor();
      await select.selectOption('note');
      await page.getByText('The endpoint accepts this sample.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save mapping' }).click();
      await page.getByText('Saved.').waitFor();
      const { body } = await client.get<InboundOut>(`/api/forms/${form.id}/inbound`);
      expect(body.data.fieldMapping).toEqual({
        'E-Mail': 'email',
        fullName: 'full_name',
        '<i>x</i>': 'note',
      });

      const accepted = await sendInbound(client, inbound, sent);
      const { submissionId } = accepted.body.data;
      const submission = await client.get<SubmissionOut>(`/api/submissions/${submissionId}`);
      expect(submission.body.data.data).toEqual({
        email: 'ada@example.com',
        full_name: 'Ada <b>King</b>',
        'It’s': 'kept',
        note: 'a note',
      });
      await sendInbound(client, inbound, { ...sent, 'E-Mail': 'no address' }, { expect: 422 });
      await page.getByText('Field: Email (E-Mail)').waitFor();
      const command = await page.getByRole('region', { name: 'curl', exact: true }).innerText();
      expect(await runCommand(command, { TOKEN: inbound.token })).toMatchObject({ success: true });

      await select.selectOption('No field: stored under its own name');
      await page.getByRole('link', { name: 'Overview' }).click();
      await page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Stay on page' })
        .click();
      await page.getByRole('button', { name: 'Save mapping' }).click();
      await poll(
        async () =>
          !(
            '<i>x</i>' in
            (await client.get<InboundOut>(`/api/forms/${form.id}/inbound`)).body.data.fieldMapping
          ),
        { what: 'the mapping without the key' },
      );
    });

    it('ask before they overwrite a field mapping that somebody else saved meanwhile', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const inbound = await openInbound(client, form.id, { fieldMapping: { Mail: 'email' } });
      const page = await open(`/forms/${form.id}/integrations/${inbound.id}`);
      const saved = async () =>
        (await client.get<InboundOut>(`/api/forms/${form.id}/inbound`)).body.data.fieldMapping;
      const conflict = page.getByRole('dialog', { name: 'This field mapping was saved somewhere else' });
      const change = async (field: string, theirs: string) => {
        await page.getByLabel('Field for Mail').selectOption(field);
        await client.patch(`/api/forms/${form.id}/inbound`, {
          body: { fieldMapping: { Mail: 'email', Theirs: theirs } },
          expect: 200,
        });
        await page.getByRole('button', { name: 'Save mapping' }).click();
        await conflict.waitFor();
        expect(await saved()).toEqual({ Mail: 'email', Theirs: theirs });
      };

      await change('note', 'full_name');
      expect(await violations(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Discard my changes' }).click();
      expect(await page.getByLabel('Field for Mail').inputValue()).toBe('email');
      expect(await page.getByLabel('Field for Theirs').inputValue()).toBe('full_name');

      await change('note', 'note');
      await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await saved()).toEqual({ Mail: 'note', Theirs: 'full_name' });
    });

    it('ask before the list of two endpoints replaces an unsaved field mapping', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      await openInbound(client, form.id, { fieldMapping: { Mail: 'email' } });
      const page = await open(`/forms/${form.id}/integrations`);
      const field = page.getByLabel('Field for Mail');
      await field.selectOption('note');
      const create = page.getByRole('button', { name: 'Create endpoint' });
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      const dialog = page.getByRole('dialog', { name: 'Create inbound endpoint' });
      await create.click();
      await question.getByRole('button', { name: 'Stay on page' }).click();
      await question.waitFor({ state: 'detached' });
      expect([await dialog.count(), await field.inputValue()]).toEqual([0, 'note']);
      await create.click();
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await dialog.waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('keep an unsaved field mapping while somebody else creates another one', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const inbound = await openInbound(client, form.id, { fieldMapping: { Mail: 'email' } });
      const page = await open(`/forms/${form.id}/integrations`);
      const field = page.getByLabel('Field for Mail');
      await field.selectOption('note');
      await client.post(`/api/forms/${form.id}/inbound/endpoints`, { body: { name: 'Theirs' }, expect: 201 });
      const path = `/api/forms/${form.id}/inbound/endpoints/${inbound.id}`;
      await client.patch(path, { body: { name: 'First' }, expect: 200 });
      await comeBack(page, page.getByText('First', { exact: true }));
      expect(await field.inputValue()).toBe('note');
      const theirs = page.getByRole('table', { name: 'Inbound endpoints' }).getByText('Theirs');
      const focused = page.getByRole('heading', { name: 'Inbound', exact: true }).and(page.locator(':focus'));
      // As it is saved, but the user may not have finished.
      await field.focus();
      await field.selectOption('email');
      await field.and(page.locator(':focus')).waitFor();
      expect(await theirs.count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await field.selectOption('note');
      await page.getByRole('button', { name: 'Save mapping' }).click();
      await theirs.waitFor();
      await focused.waitFor();
      const { body } = await client.get<InboundOut>(path);
      expect(body.data.fieldMapping).toEqual({ Mail: 'note' });
    });

    it('ask before a button replaces an unsaved field mapping by the list that has grown', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      await openInbound(client, form.id, { fieldMapping: { Mail: 'email' } });
      const page = await open(`/forms/${form.id}/integrations`);
      await page.getByLabel('Field for Mail').selectOption('note');
      await client.post(`/api/forms/${form.id}/inbound/endpoints`, { body: { name: 'Theirs' }, expect: 201 });
      const back = page.getByRole('button', { name: 'All inbound endpoints' });
      await comeBack(page, back);
      await back.click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await page.getByRole('table', { name: 'Inbound endpoints' }).getByText('Theirs').waitFor();
      const heading = page.getByRole('heading', { name: 'Inbound', exact: true });
      await heading.and(page.locator(':focus')).waitFor();
    });

    it('can be several on one form, each with its own screen, token and switch', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const first = await openInbound(client, form.id);
      const page = await open(`/forms/${form.id}/integrations`);
      await page.getByRole('button', { name: 'Create endpoint' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create inbound endpoint' });
      await dialog.getByLabel('Name').fill('Shop');
      await dialog.getByLabel('Required: generate a secret').check();
      await dialog.getByRole('button', { name: 'Create endpoint' }).click();
      const token = await takeSecret(page, 'Inbound endpoint created');
      const secret = await takeSecret(page, 'Signing secret');
      const row = page.getByRole('table', { name: 'Inbound endpoints' }).getByRole('row', { name: 'Shop' });
      await row.getByText('Required', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await row.getByRole('link', { name: 'Shop' }).click();
      await page.getByRole('heading', { name: 'Shop' }).waitFor();

      await page.getByRole('switch', { name: 'Require a signed timestamp' }).press('Space');
      const command = page.getByRole('region', { name: 'curl with a signature and a timestamp' });
      expect(await runCommand(await command.innerText(), { TOKEN: token, SECRET: secret })).toMatchObject({
        success: true,
      });
      expect(await violations(page)).toEqual([]);

      const sample = { customer: { mail: 'ada@example.com', id: 7 }, token: 'a value' };
      await page.getByLabel('Sample (JSON)').fill(JSON.stringify(sample));
      await page.getByLabel('Field for customer.mail').selectOption('email');
      const preview = await page.getByRole('region', { name: 'Resulting submission' }).innerText();
      await page.getByRole('button', { name: 'Save mapping' }).click();
      await page.getByText('Saved.').waitFor();
      await client.patch(`/api/forms/${form.id}/inbound/endpoints/${idOf(page)}`, {
        body: { secret: null },
        expect: 200,
      });
      const accepted = await sendInbound(client, { formId: form.id, token }, sample);
      const path = `/api/submissions/${accepted.body.data.submissionId}`;
      expect((await client.get<SubmissionOut>(path)).body.data.data).toEqual(JSON.parse(preview));

      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Store');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Store' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Inbound' }).waitFor();
      await sendInbound(client, { formId: form.id, token }, sample, { expect: 401 });
      await sendInbound(client, first, { email: 'ada@example.com' });
    });
  });
}
