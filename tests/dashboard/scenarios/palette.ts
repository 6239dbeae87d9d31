import { createForm } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const INPUT = 'Search forms, tasks, settings and actions';

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });

/** Opens the palette by its keys, types, and waits for the selected option with this name. */
async function choose(page: Page, text: string, option: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await paletteOf(page).getByLabel(INPUT).fill(text);
  await paletteOf(page).getByRole('option', { name: option, exact: true }).waitFor();
  await page
    .locator('[role="option"][aria-selected="true"], [role="option"][data-combobox-selected]')
    .filter({ hasText: option })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await paletteOf(page).waitFor({ state: 'detached' });
}

export function paletteScenarios(fixture: () => Fixture): void {
  describe('the command palette', () => {
    it('opens forms, their screens, tasks and settings by the keyboard alone', async () => {
      const { client, open } = fixture();
      const name = `Palette ${Date.now()}`;
      const form = await createForm(client, { name });
      const task = { templateId: form.id, title: `Approve ${name}`, prefill: { email: 'ada@example.com' } };
      await client.post('/api/mcp/tasks', { body: task, expect: 201 });
      const page = await open('/settings');
      // The keys work in inputs, too.
      await page.getByLabel('Name').focus();
      await choose(page, name.toLowerCase(), name);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/forms/${form.id}`);
      await choose(page, 'this hooks web', 'Webhooks');
      await page.waitForURL(`**/forms/${form.id}/webhooks`);
      await choose(page, `approve ${name}`, task.title);
      await page.getByRole('heading', { name: task.title }).waitFor();
      await choose(page, 'api keys', 'Settings: API keys');
      await page.waitForURL('**/settings/keys');
      await choose(page, 'new form', 'New form');
      await page.getByRole('dialog', { name: 'New form' }).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL('**/forms');
    });

    it('gets what is typed while it still loads', async () => {
      const page = await fixture().open('/forms');
      const button = page.getByRole('button', { name: 'Search', exact: true });
      await button.focus();
      let load = () => {};
      const loading = new Promise<void>((resolve) => (load = resolve));
      await page.route('**/assets/command-palette-*', async (route) => {
        await loading;
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'attached' });
      await page.keyboard.type('api k');
      load();
      const palette = paletteOf(page);
      await palette.getByLabel(INPUT).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('eys');
      await palette.getByRole('option', { name: 'Settings: API keys', exact: true }).waitFor();
      expect(await palette.getByLabel(INPUT).inputValue()).toBe('api keys');
      await page.keyboard.press('Escape');
      await button.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+k');
      expect(await palette.getByLabel(INPUT).inputValue()).toBe('');

      await page.unroute('**/assets/command-palette-*');
      await page.reload();
      await button.waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('api keys');
      await palette.getByRole('option', { name: 'Settings: API keys', exact: true }).waitFor();
      expect(await palette.getByLabel(INPUT).inputValue()).toBe('api keys');
    });

    it('is accessible, says when nothing matches, and returns the focus', async () => {
      const page = await fixture().open('/forms');
      const button = page.getByRole('button', { name: 'Search', exact: true });
      await button.click();
      const palette = paletteOf(page);
      await palette.getByRole('option', { name: 'Settings: Team' }).waitFor();
      expect(await violations(page)).toEqual([]);
      const input = palette.getByLabel(INPUT);
      await input.press('ArrowDown');
      await input.press('ArrowDown');
      expect(await input.getAttribute('aria-activedescendant')).not.toBeNull();
      await input.fill('no such thing');
      await palette.getByText('Nothing matches “no such thing”.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    });

    it('shows why a search failed, and repeats it', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: `Sought ${Date.now()}` });
      const page = await open('/settings', { expected: /429|ERR_INTERNET_DISCONNECTED/ });
      const refused = { status: 429, code: 'RATE_LIMITED', message: 'Too many at once' };
      const searches = /\/api\/(forms|mcp\/tasks)\?.*q=/;
      await page.route(searches, (route) => route.fulfill({ status: 429, json: refused }));
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      const palette = paletteOf(page);
      await palette.getByLabel(INPUT).fill(form.name);
      await palette.getByRole('alert').getByText('Too many at once').waitFor();
      expect(await palette.getByText('Nothing matches').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.unroute(searches);
      await palette.getByRole('button', { name: 'Try again' }).click();
      await palette.getByLabel(INPUT).and(page.locator(':focus')).waitFor();
      await palette.getByRole('option', { name: form.name, exact: true }).waitFor();
      expect(await palette.getByRole('alert').count()).toBe(0);

      await page.context().setOffline(true);
      await palette.getByLabel(INPUT).fill('offline');
      await palette.getByRole('alert').getByText('We can’t reach the server.').waitFor();
      expect(await palette.getByText('Nothing matches').count()).toBe(0);
    });

    it('offers a reviewer only what a reviewer may do', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/tasks', { as: login });
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await page.keyboard.press('Control+k');
      const palette = paletteOf(page);
      await palette.getByRole('option', { name: 'Inbox' }).waitFor();
      for (const name of ['New form', 'Settings: Team', 'Settings: API keys', 'Developers'])
        expect(await palette.getByRole('option', { name, exact: true }).count()).toBe(0);
      await palette.getByRole('option', { name: 'Log out' }).waitFor();
    });
  });
}
