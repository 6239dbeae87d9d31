import type { KeyOut, UserOut } from '@svcforms/contracts';
import { createClient } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { OWNER, type Stage } from '../stage.ts';

export function settingsStories(stage: () => Stage): void {
  describe('API keys', () => {
    it('are made with what they may do, shown once, work, and are deleted.', async () => {
      const { open, baseUrl } = stage();
      const name = `The CRM ${Date.now()}`;
      const page = await open('/settings/keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create a key' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Create a key' }).click();
      await dialog.getByText('Choose at least one.').waitFor();
      await dialog.getByLabel('Read forms').check();
      await dialog.getByLabel('Works until').selectOption('90 days');
      await dialog.getByRole('button', { name: 'Create a key' }).click();

      const shown = page.getByRole('dialog', { name: 'The key was created' });
      const key = await shown.getByLabel(`Key of ${name}`, { exact: true }).inputValue();
      await shown.getByRole('button', { name: 'Copy' }).click();
      await shown.getByRole('button', { name: `Copied: Key of ${name}` }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      await page.keyboard.press('Escape');
      expect(await violations(page)).toEqual([]);
      await shown.getByRole('button', { name: 'I have copied it' }).click();

      const client = createClient({ baseUrl, token: key });
      await client.get('/api/forms', { expect: 200 });
      await client.get('/api/keys', { expect: 403 });
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByText(`svc_key_…${key.slice(-4)}`).waitFor();
      expect(await page.content()).not.toContain(key);

      await row.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await client.get('/api/forms', { expect: 401 });
    });

    it('that could not be made leave what was typed.', async () => {
      const kept = `Kept ${Date.now()}`;
      const page = await stage().open('/settings/keys', {
        expected: /Failed to load|ERR_FAILED|ERR_INTERNET/,
      });
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create a key' });
      await dialog.getByLabel('Name').fill(kept);
      await dialog.getByLabel('Read tasks').check();
      await page.context().setOffline(true);
      await dialog.getByRole('button', { name: 'Create a key' }).click();
      await dialog.getByText('The service can not be reached').waitFor();
      await page.context().setOffline(false);
      await dialog.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('dialog', { name: 'The key was created' }).waitFor();
      const { body } = await stage().client.get<KeyOut[]>('/api/keys', { expect: 200 });
      expect(body.data.filter(({ name }) => name === kept)).toMatchObject([{ scopes: ['tasks:read'] }]);
    });
  });

  describe('users', () => {
    it('are added, log in, get another role, and are deleted; a refusal keeps what was typed.', async () => {
      const { open, client } = stage();
      const grace = `Grace ${Date.now()}`;
      const login = { email: `grace${Date.now()}@example.com`, password: 'a good password' };
      const page = await open('/settings/users', { expected: /409/ });
      await page.getByRole('button', { name: 'Add a user' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a user' });
      await dialog.getByLabel('Name').fill(grace);
      await dialog.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email);
      await dialog.getByLabel('Password').first().fill(login.password);
      await dialog.getByRole('button', { name: 'Add a user' }).click();
      await dialog.getByText('There is a user with this e-mail address already').waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe(grace);
      await dialog.getByRole('textbox', { name: 'E-mail' }).fill(login.email);
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add a user' }).click();
      await dialog.waitFor({ state: 'detached' });

      const hers = await open('/settings', { as: login });
      await hers.getByRole('heading', { name: 'You' }).waitFor();
      // A reviewer is not offered what they may not do.
      expect(await hers.getByRole('link', { name: 'API keys' }).count()).toBe(0);

      await page.getByRole('button', { name: `Edit ${grace}` }).click();
      const edit = page.getByRole('dialog', { name: `Edit ${grace}` });
      await edit.getByLabel('Admin').check();
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: new RegExp(`${grace}.*Admin`) }).waitFor();

      await page.getByRole('button', { name: `Delete ${grace}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('row').filter({ hasText: grace }).waitFor({ state: 'detached' });
      const { body } = await client.get<UserOut[]>('/api/users', { expect: 200 });
      expect(body.data.filter(({ email }) => email === login.email)).toEqual([]);
    });

    it('always leave an owner; the refusal is told with its request id.', async () => {
      const page = await stage().open('/settings/users', { expected: /409/ });
      await page
        .getByRole('row')
        .filter({ hasText: OWNER.email })
        .getByRole('button', { name: /Delete/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alert').getByText('Request id').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  describe('oneself', () => {
    it('has a name that is saved, and is warned before leaving it unsaved.', async () => {
      const login = await stage().newUser('reviewer');
      const page = await stage().open('/settings', { as: login });
      await page.getByLabel('Name').fill('Ada King');
      await page.getByRole('link', { name: 'Account' }).click();
      const warning = page.getByRole('dialog', { name: 'Leave without saving?' });
      await warning.getByRole('button', { name: 'Stay here' }).click();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ada King');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByText('Ada King').waitFor();
    });

    it('changes the password, which ends the other logins.', async () => {
      const login = await stage().newUser('reviewer');
      const page = await stage().open('/settings', { as: login, expected: /422/ });
      const elsewhere = await stage().open('/settings', {
        as: { ...login, email: login.email },
        expected: /401/,
      });
      await elsewhere.context().clearCookies();
      await logInBy(elsewhere, login);
      await page.getByLabel(/^Present password/).fill('not mine');
      await page.getByLabel(/^New password/).fill('another good one');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('is not your password').first().waitFor();
      await page.getByLabel(/^Present password/).fill(login.password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password was changed.').waitFor();
      await elsewhere.goto('/settings/account');
      await elsewhere.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.goto('/settings/account');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    });
  });
}

async function logInBy(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Forms' }).waitFor();
}
