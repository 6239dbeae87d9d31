import type { Fixture } from '../fixture.ts';

/**
 * While processes of two versions serve the embed, each redirects to its own chunks:
 * docs/operations.md#upgrade
 */
export function updateScenarios(fixture: () => Fixture): void {
  describe('an update of the embed that is running', () => {
    it('opens the form although another version redirects to the chunk for older scripts', async () => {
      const { page, expectOpen } = await fixture().visit({ popup: { trigger: 'click', selector: '#top' } });
      let redirected = 0;
      await page.route(/\/embed\/ui\.\w+\.js/, async (route) => {
        if (redirected === 2) return route.continue();
        redirected++;
        // The product redirects a name that it doesn't know to `ui-old`. Its module has the address
        // that was requested.
        const headers = {
          location: route
            .request()
            .url()
            .replace(/ui\.\w+/, 'ui.000000000000'),
          'access-control-allow-origin': '*',
        };
        await route.fulfill({ status: 302, headers });
      });
      await page.click('#top');
      await expectOpen();
      expect(redirected).toBe(2);
    });
  });
}
