import { poll } from '@svcforms/test-kit';
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

    it('opens with its text on a page that was loaded before it closed', async () => {
      const visit = await fixture().visit({ popup: { trigger: 'click', selector: 'h1' } });
      const { page, form, context } = visit;
      // The cache of the browser has the form for a minute.
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      const open = () => page.evaluate(`SvcForms.open('${form.id}')`);
      await open();
      await page.locator('dialog').getByRole('textbox').waitFor();
      await page.evaluate('SvcForms.close()');
      await fixture().client.put(`/api/forms/${form.id}`, {
        body: { name: form.name, fields: form.fields, settings: { ...form.settings, closing } },
      });
      const url = `${fixture().baseUrl}/embed/forms/${form.id}.json`;
      await poll(async () => (await (await fetch(url)).text()).includes(closing.message), {
        what: 'the closed form',
      });
      await open();
      await page.locator('dialog').getByText(closing.message).waitFor();
      // A visitor without a connection sees the form that the page knows.
      await page.evaluate('SvcForms.close()');
      await page.route(url, (route) => route.abort());
      await open();
      await page.locator('dialog').getByText(closing.message).waitFor();
      // So does one whose connection hangs.
      await page.evaluate('SvcForms.close()');
      await page.unroute(url);
      await page.route(url, () => {});
      await page.evaluate(`void SvcForms.open('${form.id}')`);
      await visit.pass(2000);
      await page.locator('dialog').getByText(closing.message).waitFor();
      // The trigger was armed before the form closed.
      await page.evaluate('SvcForms.close()');
      await page.click('h1');
      await visit.expectClosed();
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
