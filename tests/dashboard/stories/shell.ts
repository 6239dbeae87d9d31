import { overflow, violations } from '../accessibility.ts';
import { OWNER, type Stage } from '../stage.ts';

export function shellStories(stage: () => Stage): void {
  describe('the shell', () => {
    it('lets a person log in, and brings them where they wanted to go.', async () => {
      const page = await stage().open('/forms?q=nothing', { as: null, expected: /401/ });
      await page.waitForURL('**/login?to=*');
      await page.getByLabel('E-mail').fill(OWNER.email);
      await page.getByLabel('Password').first().fill('wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Request id').waitFor();
      // What was typed stays.
      expect(await page.getByLabel('E-mail').inputValue()).toBe(OWNER.email);
      await page.getByLabel('Password').first().fill(OWNER.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/forms?q=nothing');
      await page.getByText('No form has “nothing” in its name.').waitFor();
    });

    it('logs out, and shows nothing any more.', async () => {
      const login = await stage().newUser('admin');
      const page = await stage().open('/forms', { as: login, expected: /401/ });
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
    });

    it('asks for the login in place when it has ended, and goes on.', async () => {
      const login = await stage().newUser('admin');
      const page = await stage().open('/forms', { as: login, expected: /401/ });
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      await page.context().clearCookies();
      await page.getByRole('searchbox').fill('contact');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.getByLabel(`Password of ${login.email}`).first().fill(login.password);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('searchbox').inputValue()).toBe('contact');
    });

    it('says where nothing is, with a way back.', async () => {
      const page = await stage().open('/forms/frm_00000000000000000000000000', { expected: /404/ });
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
      await page.getByRole('link', { name: 'To your forms' }).click();
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
    });

    it.each(['light', 'dark'] as const)('has no violations at the login, in %s.', async (colorScheme) => {
      const page = await stage().open('/login', { as: null, context: { colorScheme } });
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('fits a narrow phone.', async () => {
      const page = await stage().open('/forms', { context: { viewport: { width: 320, height: 640 } } });
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Forms' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
}
