import { violations } from '../accessibility.ts';
import type { Fixture } from '../fixture.ts';
import { SOON } from '../popup-visit.ts';

/** docs/reference/forms.md#close-a-form */
export function closedFormScenarios(fixture: () => Fixture): void {
  describe('a closed form', () => {
    const closing = { isClosed: true, message: 'Registration has ended.' };

    it('shows its text in place of the fields', async () => {
      const { page } = await fixture().visit({ settings: { closing } });
      await page.getByRole('heading', { name: 'Stay in touch' }).waitFor();
      await page.getByText('Registration has ended.').waitFor();
      expect(await page.locator('svc-form').getByRole('textbox').count()).toBe(0);
      expect(await page.locator('svc-form').getByRole('button').count()).toBe(0);
      // It is no success.
      expect(await page.locator('.done').evaluate((done) => getComputedStyle(done, '::before').content)).toBe(
        'none',
      );
    });

    it('does not open its popup', async () => {
      const visit = await fixture().visit({ popup: SOON, settings: { closing }, isExcluded: true });
      await visit.pass(10 * SOON.delayMs);
      await visit.expectClosed();
      expect(visit.counted).toEqual([]);
    });

    it('speaks the language of the visitor on its hosted page', async () => {
      const { form, page } = await fixture().visit({
        settings: { closing: { isClosed: true } },
        fakeClock: false,
      });
      await page.goto(`${fixture().baseUrl}/f/${form.id}?svc-lang=de`);
      await page.getByText('Dieses Formular ist geschlossen.').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
}
