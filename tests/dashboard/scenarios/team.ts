import type { FormOut, GroupOut } from '@svcforms/contracts';
import { createForm } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { violationsInBoth } from '../support/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const PASSWORD = 'a good password';
const NEW_PASSWORD = 'another good password';

/** Invitations and forgotten passwords, with their emails. */
export function teamScenarios(fixture: () => Fixture): void {
  /** Returns the link in the latest email to the address. */
  async function mailedLink(email: string, path: string, count = 1): Promise<string> {
    const mails = await fixture().mailServer.waitFor(
      count,
      ({ to, text }) => to.includes(email) && text.includes(path),
    );
    return /https?:\S+#\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
  }

  async function invite(page: Page, email: string): Promise<string> {
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation created' });
    await shown.getByText(`We’re sending the link to ${email}.`).waitFor();
    const link = await shown.getByLabel(`Link for ${email}`, { exact: true }).inputValue();
    expect(await violations(page)).toEqual([]);
    await shown.getByRole('button', { name: 'Done' }).click();
    return link;
  }

  async function accept(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').first().fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
  }

  const expectBroken = async (page: Page, link: string) => {
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('alert').getByText('This link does not work').waitFor();
  };

  describe('groups', () => {
    it('ask before Escape or the close button discards what was typed', async () => {
      const page = await fixture().open('/settings/groups');
      const opener = page.getByRole('button', { name: 'Create group' }).first();
      const dialog = page.getByRole('dialog', { name: 'Create group' });
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await opener.click();
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await opener.click();
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await name.fill('Finance');
      await page.keyboard.press('Escape');
      await question.waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await question.getByRole('button', { name: 'Keep editing' }).and(page.locator(':focus')).waitFor();
      // Escape closes only the question.
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Finance');
      await name.and(page.locator(':focus')).waitFor();

      await dialog.getByRole('button', { name: 'Close' }).click();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await opener.and(page.locator(':focus')).waitFor();

      await opener.click();
      await dialog.getByRole('combobox', { name: 'Members' }).click();
      await dialog.getByRole('option').first().click();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
    });

    it('are created with members, and chosen in the approvals of a form', async () => {
      const { open, newUser, client } = fixture();
      const reviewer = await newUser('reviewer');
      const name = `Finance ${Date.now()}`;
      const page = await open('/settings/groups');
      await page.getByRole('button', { name: 'Create group' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create group' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await dialog.getByRole('combobox', { name: 'Members' }).click();
      await dialog.getByRole('option', { name: reviewer.email }).click();
      // Tab goes on from the open list.
      await page.keyboard.press('Tab');
      const create = dialog.getByRole('button', { name: 'Create group' });
      await create.and(page.locator(':focus')).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await create.click();
      await page.getByRole('row').filter({ hasText: name }).getByText('1 member').waitFor();
      await page.getByRole('button', { name: `Edit “${name}”` }).press('Enter');
      const edit = page.getByRole('dialog', { name: `Edit “${name}”` });
      await edit.locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: `Edit “${name}”` })
        .and(page.locator(':focus'))
        .waitFor();
      expect(await violationsInBoth(page)).toEqual([]);

      const form = await createForm(client, { name: 'Refund', fields: [] });
      await page.goto(new URL(`/forms/${form.id}/build`, page.url()).href);
      await page.getByRole('button', { name: 'Approvals' }).click();
      await page.getByRole('combobox', { name: 'Groups that review this form' }).click();
      const chosen = page.getByRole('listbox', { name: 'Groups that review this form' });
      await chosen.getByRole('option', { name }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('switch', { name: /^Require specific reviewers/ }).check();
      await page.getByLabel('Required approvals').selectOption('1');
      await page.getByRole('combobox', { name: 'Groups', exact: true }).click();
      const voting = page.getByRole('listbox', { name: 'Groups', exact: true });
      await voting.getByRole('option', { name }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Draft saved.').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await client.post(`/api/forms/${form.id}/publish`, { body: {}, expect: 200 });
      const saved = (await client.get<FormOut>(`/api/forms/${form.id}`, { expect: 200 })).body.data;
      const [id = ''] = saved.settings.reviewers?.groups ?? [];
      expect(saved.settings).toMatchObject({
        reviewers: { groups: [expect.stringMatching(/^grp_/)] },
        tasks: { policy: { approvals: 1, groups: [id] } },
      });
    });
  });

  describe('a group', () => {
    it('keeps the members that somebody else adds while it is edited', async () => {
      const { open, newUser, client } = fixture();
      const [mine, theirs, removed] = [
        await newUser('reviewer'),
        await newUser('reviewer'),
        await newUser('reviewer'),
      ];
      const name = `Shared ${Date.now()}`;
      const { data } = (
        await client.post<GroupOut>('/api/groups', { body: { name, members: [removed.id] }, expect: 201 })
      ).body;
      const page = await open('/settings/groups');
      await page.getByRole('button', { name: `Edit “${name}”` }).click();
      const dialog = page.getByRole('dialog', { name: `Edit “${name}”` });
      await dialog.getByRole('combobox', { name: 'Members' }).press('Backspace');
      await dialog.getByRole('option', { name: mine.email }).click();
      await page.keyboard.press('Tab');
      const path = `/api/groups/${data.id}`;
      await client.patch(path, { body: { members: [removed.id, theirs.id] }, expect: 200 });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const saved = (await client.get<GroupOut>(path, { expect: 200 })).body.data;
      expect(saved.members).toEqual([theirs.id, mine.id]);
    });
  });

  describe('an invitation', () => {
    it('is accepted by the link in its email, which then no longer works', async () => {
      const email = `invited${Date.now()}@example.com`;
      const page = await fixture().open('/settings/users');
      const shown = await invite(page, email);
      await page.getByRole('row').filter({ hasText: email }).getByText('Pending').waitFor();
      const link = await mailedLink(email, '/invitation#');
      // Programs that check links send GET requests, without the fragment.
      for (let n = 0; n < 3; n++) expect((await fetch(link)).status).toBe(200);

      const theirs = await fixture().open('/login', { as: null, expected: /404|409|401/ });
      const referrers: string[] = [];
      theirs.on('request', (request) => referrers.push(`${request.url()} ${request.headers()['referer']}`));
      await theirs.goto(link);
      await theirs.getByText('You’re invited to the account').waitFor();
      expect(await theirs.getByLabel('Email').inputValue()).toBe(email);
      expect(await violations(theirs)).toEqual([]);
      await accept(theirs, 'Grace Hopper');
      await theirs.getByRole('heading', { name: 'Inbox' }).waitFor();
      const secret = link.split('.').at(-1) ?? 'no link';
      expect(referrers.filter((each) => each.includes(secret) && !each.startsWith(link))).toEqual([]);

      await page.reload();
      await page.getByRole('row', { name: /Grace Hopper.*Reviewer/ }).waitFor();
      await page.getByText('No pending invitations.').waitFor();
      for (const used of [link, shown]) await expectBroken(theirs, used);
    });

    it('has whole labels on its buttons on a phone', async () => {
      const page = await fixture().open('/settings/users', {
        context: { viewport: { width: 320, height: 640 } },
      });
      const email = `narrow${Date.now()}@example.com`;
      await invite(page, email);
      for (const action of ['Resend', 'Revoke']) {
        const button = page.getByRole('button', { name: `${action} the invitation for ${email}` });
        const isWhole = await button
          .getByText(action)
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
        expect([action, isWhole]).toEqual([action, true]);
      }
    });

    it('leaves the list when somebody adds a user with its address', async () => {
      const email = `added${Date.now()}@example.com`;
      const page = await fixture().open('/settings/users');
      await invite(page, email);
      const status = page.getByRole('row').filter({ hasText: email }).getByText('Pending');
      await status.waitFor();
      await page.getByRole('button', { name: 'Add user' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add user' });
      await dialog.getByLabel('Name').fill('Ada Byron');
      await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
      await dialog.getByLabel('Password').first().fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await page.getByRole('row', { name: /Ada Byron.*Reviewer/ }).waitFor();
      await status.waitFor({ state: 'detached' });
    });

    it('is revoked, and sent again with another link', async () => {
      const email = `again${Date.now()}@example.com`;
      const page = await fixture().open('/settings/users');
      const first = await invite(page, email);
      await page.getByRole('button', { name: `Resend the invitation for ${email}` }).click();
      const shown = page.getByRole('dialog', { name: 'Invitation created' });
      const second = await shown.getByLabel(`Link for ${email}`, { exact: true }).inputValue();
      await shown.getByRole('button', { name: 'Copy' }).click();
      await shown.getByRole('button', { name: `Copied: Link for ${email}` }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(second);
      await shown.getByRole('button', { name: 'Done' }).click();
      const theirs = await fixture().open('/login', { as: null, expected: /404|401/ });
      await expectBroken(theirs, first);
      await theirs.goto(second);
      await theirs.getByLabel('Name').waitFor();

      await page.getByRole('button', { name: `Revoke the invitation for ${email}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByRole('row').filter({ hasText: email }).waitFor({ state: 'detached' });
      await accept(theirs, 'Too late');
      await theirs.getByRole('alert').getByText('This link does not work').waitFor();
      await expectBroken(theirs, second);
    });
  });

  it.each([
    ['role', 'None of your groups has access.'],
    ['unavailable', 'The identity provider isn’t available.'],
  ])('a login with the identity provider that failed (%s) is explained', async (failure, text) => {
    const page = await fixture().open('/login', { as: null });
    await page.route('**/api/auth/methods', (route) =>
      route.fulfill({ json: { success: true, data: { passwordReset: 'email', singleSignOn: true } } }),
    );
    await page.goto(`/login?failure=${failure}`);
    await page.getByRole('alert').getByText(text).waitFor();
    const link = page.getByRole('link', { name: 'Log in with single sign-on' });
    expect(await link.getAttribute('href')).toBe('/api/auth/oidc/start');
    expect(await violations(page)).toEqual([]);
  });

  describe('a forgotten password', () => {
    it('is replaced by the link in the email, once, and ends all sessions', async () => {
      const login = await fixture().newUser('reviewer');
      const elsewhere = await fixture().open('/settings', { as: login, expected: /401/ });
      const page = await fixture().open('/login', { as: null, expected: /404|401/ });
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Email').fill(login.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByText(`If ${login.email} belongs to a user, we’re sending a link.`).waitFor();
      const link = await mailedLink(login.email, '/reset-password#');
      expect((await fetch(link)).status).toBe(200);

      await page.goto(link);
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('New password').first().fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('All your sessions have ended.').waitFor();
      await elsewhere.goto('/settings');
      await elsewhere.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.getByRole('link', { name: 'Log in' }).click();
      await page.getByLabel('Email').fill(login.email);
      await page.getByLabel('Password').first().fill(NEW_PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await fixture().mailServer.waitFor(
        1,
        ({ to, subject }) => to.includes(login.email) && subject === 'Your SvcForms password was reset',
      );

      await page.goto('about:blank');
      await page.goto(link);
      await page.getByLabel('New password').first().fill('yet another password');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('alert').getByText('This link does not work').waitFor();
    });

    it('of an unknown address looks the same', async () => {
      const page = await fixture().open('/forgot-password', { as: null });
      const email = `nobody${Date.now()}@example.com`;
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByText(`If ${email} belongs to a user, we’re sending a link.`).waitFor();
    });

    it('is a matter for the operator where no email is sent', async () => {
      const page = await fixture().open('/login', { as: null });
      await page.route('**/api/auth/methods', (route) =>
        route.fulfill({ json: { success: true, data: { passwordReset: 'operator' } } }),
      );
      // The login screen has perhaps asked already, and an answer is kept as long as the page is.
      await page.reload();
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByText('This installation sends no email.').waitFor();
      await page.getByText('npm run admin -- user set-password EMAIL').waitFor();
      expect(await page.getByLabel('Email').count()).toBe(0);
    });
  });
}
