import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { openAccount } from '../../e2e/stack.ts';
import type { Fixture, Login } from '../support/fixture.ts';
import { stayAtReload } from '../support/stay-at-reload.ts';

const codeAt = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/**
 * Two-factor authentication: setup, both steps of a login, recovery codes, and the policy of an
 * account.
 */
export function secondFactorScenarios(fixture: () => Fixture): void {
  /** Turns it on and returns the secret and the recovery codes. */
  async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' });
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    await dialog.getByLabel('Code from the app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText("Is not the app's current code").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Code from the app').fill(codeAt(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const shown = page.getByRole('dialog', { name: 'Recovery codes' });
    const codes = ((await shown.getByLabel('Recovery codes', { exact: true }).textContent()) ?? '').split(
      '\n',
    );
    expect(codes).toHaveLength(10);
    // Only the button closes it, because the codes are shown once.
    await page.keyboard.press('Escape');
    expect(await violations(page)).toEqual([]);
    await stayAtReload(page);
    await shown.getByRole('button', { name: 'I’ve stored them' }).click();
    await page.getByText('10 recovery codes left.').waitFor();
    return { secret, codes };
  }

  async function enterPassword(page: Page, { email, password }: Login): Promise<void> {
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').first().fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter a code' }).waitFor();
  }

  async function enterCode(page: Page, code: string): Promise<void> {
    await page.getByLabel(/^Code/).fill(code);
    await page.keyboard.press('Enter');
  }

  it('two-factor authentication asks for a code, and refuses used ones', async () => {
    const login = await fixture().newUser('reviewer');
    const page = await fixture().open('/settings', { as: login, expected: /422/ });
    const { secret, codes } = await setUp(page);

    const theirs = await fixture().open('/login', { as: null, expected: /401/ });
    await enterPassword(theirs, login);
    expect(await violations(theirs)).toEqual([]);
    const code = codeAt(secret, Date.now() + 30_000);
    await enterCode(theirs, code);
    await theirs.getByRole('heading', { name: 'Inbox' }).waitFor();

    const thief = await fixture().open('/login', { as: null, expected: /401/ });
    await enterPassword(thief, login);
    await enterCode(thief, code);
    await thief.getByRole('alert').getByText('The code is wrong or was used before').waitFor();
    await enterCode(thief, codes[0] ?? '');
    await thief.getByRole('heading', { name: 'Inbox' }).waitFor();
    await thief.context().clearCookies();
    await enterPassword(thief, login);
    await enterCode(thief, codes[0] ?? '');
    await thief.getByRole('alert').getByText('The code is wrong or was used before').waitFor();

    await page.reload();
    await page.getByText('9 recovery codes left.').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-factor authentication is off.').waitFor();
    await theirs.context().clearCookies();
    await theirs.goto('/login');
    await theirs.getByLabel('Email').fill(login.email);
    await theirs.getByLabel('Password').first().fill(login.password);
    await theirs.keyboard.press('Enter');
    await theirs.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('an account that requires it lets users do nothing else before', async () => {
    const { client } = await openAccount(fixture());
    const newLogin = async (role: 'owner' | 'reviewer') => {
      const login = { email: `${role}-2fa-${Date.now()}@example.com`, password: 'a good password' };
      await client.post('/api/users', { body: { ...login, name: `The ${role}`, role }, expect: 201 });
      return login;
    };
    const [owner, reviewer] = [await newLogin('owner'), await newLogin('reviewer')];
    const page = await fixture().open('/settings/account', { as: owner, expected: /422/ });
    const policy = page.getByLabel('Require two-factor authentication');
    expect(await policy.isDisabled()).toBe(true);
    await page.goto('/settings');
    await setUp(page);
    await page.getByRole('link', { name: 'Account' }).click();
    await policy.click();
    await page.getByText('Saved.').waitFor();
    expect(await violations(page)).toEqual([]);

    const theirs = await fixture().open('/tasks', { as: reviewer, expected: /403|422/ });
    await theirs.waitForURL('**/settings');
    await theirs.getByRole('alert').getByText('Your account requires two-factor authentication.').waitFor();
    expect(await theirs.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
    await setUp(theirs);
    await theirs.getByRole('link', { name: 'Inbox' }).click();
    await theirs.getByRole('heading', { name: 'Inbox' }).waitFor();
  });
}
