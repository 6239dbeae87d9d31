import type { InvitationCreatedOut } from '@svcforms/contracts';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { violationsInBoth } from '../support/accessibility.ts';
import { OWNER, type Fixture } from '../support/fixture.ts';
import { PROVIDER_USERS } from '../support/product.ts';

/** The provider's own pages load a font from the internet and have no icon. */
const PROVIDER_PAGES = /fonts\.googleapis|favicon|ERR_|404|Content Security Policy/;
const EXPECTED = new RegExp(`${PROVIDER_PAGES.source}|401|403|422`);
const PASSWORD = 'a good password';
const codeAt = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
type ProviderUser = keyof typeof PROVIDER_USERS;

/**
 * Logins with an identity provider, and links and codes that were stolen, have expired or were
 * used.
 */
export function loginScenarios(fixture: () => Fixture): void {
  const visit = (path: string) => fixture().open(path, { as: null, expected: EXPECTED });
  const origin = () => fixture().baseUrl;

  async function enterLogin(page: Page, user: ProviderUser): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(user);
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }

  /** Enters a user's name on the provider's login page, and agrees to what it asks. */
  async function passProvider(page: Page, user: ProviderUser): Promise<void> {
    await enterLogin(page, user);
    const agree = page.getByRole('button', { name: 'Continue' });
    await agree
      .or(page.getByRole('button', { name: 'Your account' }))
      .or(page.getByRole('alert'))
      .first()
      .waitFor();
    if (!page.url().startsWith(origin())) await agree.click();
  }

  async function logIn(user: ProviderUser, to = '/settings'): Promise<Page> {
    const page = await visit(`/login?to=${encodeURIComponent(to)}`);
    await page.getByRole('link', { name: 'Log in with single sign-on' }).click();
    await passProvider(page, user);
    return page;
  }

  /** Logs in at the provider, and returns the URL that leads back instead of opening it. */
  async function untilCallback(user: ProviderUser): Promise<{ page: Page; url: string }> {
    const page = await visit('/login');
    await page.getByRole('link', { name: 'Log in with single sign-on' }).click();
    await enterLogin(page, user);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    // With the cookies of the browser, which would follow the redirects by itself.
    const action = (await page.locator('form').first().getAttribute('action')) ?? '';
    const stay = { maxRedirects: 0 };
    let url = new URL(action, page.url()).href;
    let response = await page.request.post(url, { form: { prompt: 'consent' }, ...stay });
    for (let steps = 0; steps < 5; steps++) {
      url = new URL(response.headers()['location'] ?? '', url).href;
      if (url.startsWith(origin())) return { page, url };
      response = await page.request.get(url, stay);
    }
    throw new Error(`the provider sent nobody back: ${url}`);
  }

  const expectFailure = async (page: Page, text: string) => {
    await page.getByRole('alert').getByText(text).waitFor();
    await page.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  };
  const STALE = 'The login took too long, was used before, or began in another browser. Try again.';

  describe('a login with the identity provider', () => {
    it('leads to the requested screen', async () => {
      const page = await logIn('olivia', '/settings/account');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/settings/account');
    });

    it('is refused in another browser, and a second time', async () => {
      const { page, url } = await untilCallback('olivia');
      const thief = await visit(url);
      await expectFailure(thief, STALE);
      await page.goto(url);
      await page.getByRole('button', { name: 'Your account' }).waitFor();
      await page.goto(url);
      await expectFailure(page, STALE);
    });

    it('is refused with a code that another browser received', async () => {
      const [theirs, own] = [await untilCallback('olivia'), await untilCallback('olivia')];
      const mixed = new URL(own.url);
      mixed.searchParams.set('code', new URL(theirs.url).searchParams.get('code') ?? '');
      await own.page.goto(mixed.href);
      await expectFailure(own.page, STALE);
    });

    it('is refused when it took too long', async () => {
      const { page, url } = await untilCallback('olivia');
      await fixture().elapse.links();
      await page.goto(url);
      await expectFailure(page, STALE);
    });

    it('is offered in another tab after the session ends, and the dialog closes by itself', async () => {
      const page = await logIn('nora');
      await page.getByLabel('Name').fill('Nora, not saved yet');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save' }).click();
      const again = page.getByRole('dialog', { name: 'Log in again' });
      await again.getByRole('link', { name: 'Open single sign-on' }).waitFor();
      expect(await again.getByLabel(/Password/).count()).toBe(0);
      expect(await again.getByText('Your account requires single sign-on.').count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
      const opening = page.context().waitForEvent('page');
      await again.getByRole('link', { name: 'Open single sign-on' }).click();
      await passProvider(await opening, 'nora');
      await again.waitFor({ state: 'detached' });
      await page.getByText('Saved.').waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Nora, not saved yet');
    });

    it('is refused for an address that the provider has not verified', async () => {
      const page = await logIn('unverified');
      await expectFailure(page, 'The identity provider hasn’t verified your email address.');
    });
  });

  it('a code is refused when the login has expired, and the screen leads back to the password', async () => {
    const login = await fixture().newUser('reviewer');
    const page = await fixture().open('/settings', { as: login, expected: EXPECTED });
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' });
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    await dialog.getByLabel('Code from the app').fill(codeAt(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I’ve stored them' }).click();

    const late = await visit('/login');
    await late.getByLabel('Email').fill(login.email);
    await late.getByLabel('Password').first().fill(login.password);
    await late.keyboard.press('Enter');
    await late.getByRole('heading', { name: 'Enter a code' }).waitFor();
    await fixture().elapse.links();
    await late.getByLabel(/^Code/).fill(codeAt(secret, Date.now() + 30_000));
    await late.keyboard.press('Enter');
    await late
      .getByRole('alert')
      .getByText('The login has expired. Start again with the password.')
      .waitFor();
    expect(await violationsInBoth(late)).toEqual([]);
    await late.getByRole('button', { name: 'Start again' }).click();
    await late.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('an expired invitation and an expired reset link say what to do', async () => {
    const email = `expired${Date.now()}@example.com`;
    const { body } = await fixture().client.post<InvitationCreatedOut>('/api/invitations', {
      body: { email, role: 'reviewer' },
      expect: 201,
    });
    const user = await fixture().newUser('reviewer');
    await fixture().visitor.post('/api/auth/password-resets', { body: { email: user.email }, expect: 202 });
    const mails = await fixture().mailServer.waitFor(
      1,
      ({ to, text }) => to.includes(user.email) && text.includes('/reset-password#'),
    );
    const reset = /https?:\S+#\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
    await fixture().elapse.links();

    const page = await fixture().open('/login', { as: null, expected: /404|401/ });
    await page.goto(body.data.link ?? '');
    await page.getByRole('alert').getByText('This link does not work').waitFor();
    await page.getByText('Ask the person who invited you for a new link.').waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.goto(reset);
    await page.getByLabel('New password').first().fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').getByText('This link does not work').waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  });

  describe('an account that requires single sign-on', () => {
    /** Makes an owner who is logged in with the provider turn it on. */
    async function requireIt(): Promise<Page> {
      const page = await logIn('olivia', '/settings/account');
      const policy = page.getByRole('switch', { name: 'Require single sign-on' });
      await policy.waitFor();
      if (await policy.isChecked()) return page;
      await policy.click();
      const dialog = page.getByRole('dialog', { name: 'Require single sign-on?' });
      await dialog.waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Require single sign-on' }).click();
      await page.getByText('Saved.').first().waitFor();
      return page;
    }

    it('can only be made so by an owner who logged in with it', async () => {
      const page = await fixture().open('/settings/account', { as: OWNER });
      const policy = page.getByRole('switch', { name: 'Require single sign-on' });
      expect(await policy.isDisabled()).toBe(true);
      await page.getByText('Log in with single sign-on yourself first.').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });

    it('ends sessions, keeps their input, and explains itself to those with a password', async () => {
      const reviewer = await fixture().newUser('reviewer');
      const open = await fixture().open('/settings', { as: reviewer, expected: EXPECTED });
      await open.getByLabel('Name').fill('Not saved yet');
      await requireIt();
      await open.getByRole('button', { name: 'Save' }).click();
      const again = open.getByRole('dialog', { name: 'Log in again' });
      await again.getByLabel(`Password for ${reviewer.email}`).fill(reviewer.password);
      await again.getByRole('button', { name: 'Log in', exact: true }).click();
      await again
        .getByText('Your account requires single sign-on. Log in with the identity provider.')
        .waitFor();
      await again.getByRole('link', { name: 'Open single sign-on' }).waitFor();
      expect(await violationsInBoth(open)).toEqual([]);

      const page = await visit('/login');
      await page.getByLabel('Email').fill(reviewer.email);
      await page.getByLabel('Password').first().fill(reviewer.password);
      await page.keyboard.press('Enter');
      await expectFailure(page, `must have verified the address ${reviewer.email}`);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByText('we don’t send a link. Log in with single sign-on instead').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });

    it('accepts invitations by a login with the provider', async () => {
      const owner = await requireIt();
      await owner.goto('/settings/users');
      await owner.getByRole('button', { name: 'Invite user' }).click();
      const dialog = owner.getByRole('dialog', { name: 'Invite user' });
      await dialog.getByRole('textbox', { name: 'Email' }).fill(PROVIDER_USERS.ivan);
      await dialog.getByRole('button', { name: 'Create invitation' }).click();
      const shown = owner.getByRole('dialog', { name: 'Invitation created' });
      const link = await shown.getByLabel(`Link for ${PROVIDER_USERS.ivan}`, { exact: true }).inputValue();

      const page = await visit(link);
      await page.getByText(`Log in as ${PROVIDER_USERS.ivan} to accept the invitation.`).waitFor();
      expect(await page.getByLabel('Password').count()).toBe(0);
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('link', { name: 'Log in with single sign-on' }).click();
      await passProvider(page, 'ivan');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();

      const used = await visit(link);
      await used.getByRole('alert').getByText('This link does not work').waitFor();
    });

    it('asks for a recent login at the provider, in another tab', async () => {
      await requireIt();
      const page = await logIn('nora');
      await page.getByText('so you don’t need a password').waitFor();
      await page.getByText('The identity provider checks second factors.').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await fixture().elapse.logins();
      await page.getByLabel('New email address').fill(`nora${Date.now()}@example.com`);
      await page.getByRole('button', { name: 'Change email address' }).click();
      const again = page.getByRole('dialog', { name: 'Log in again' });
      await again.getByText('This change needs a recent login.').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      const opening = page.context().waitForEvent('page');
      await again.getByRole('link', { name: 'Open single sign-on' }).click();
      const tab = await opening;
      await passProvider(tab, 'nora');
      await tab.getByRole('button', { name: 'Your account' }).waitFor();
      await tab.close();
      await again.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Email address changed.').waitFor();
    });

    it('is made optional again by an owner', async () => {
      const page = await requireIt();
      await page.getByRole('switch', { name: 'Require single sign-on' }).click();
      await page.getByText('Saved.').first().waitFor();
      const reviewer = await fixture().newUser('reviewer');
      await fixture().open('/settings', { as: reviewer });
    });
  });
}
