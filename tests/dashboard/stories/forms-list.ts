import { createForm } from '@svcforms/test-kit';
import type { Stage } from '../stage.ts';

export function formsListStories(stage: () => Stage): void {
  describe('the list of forms', () => {
    it('finds a form by its name and leads to it.', async () => {
      const { client, open } = stage();
      const form = await createForm(client, { name: 'Ask for a quote' });
      await createForm(client, { name: 'Something else' });
      const page = await open('/forms');
      await page.getByRole('searchbox').fill('quote');
      await page.getByRole('link', { name: 'Something else' }).waitFor({ state: 'detached' });
      expect(page.url()).toContain('/forms?q=quote');
      await page.getByRole('link', { name: 'Ask for a quote' }).click();
      await page.waitForURL(`**/forms/${form.id}`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent === 'Overview');
      expect(await page.title()).toBe('Overview · Ask for a quote · SvcForms');
    });
  });
}
