import type { Fixture } from '../support/fixture.ts';

const BUDGET_BYTES = 250 * 1024;

export function firstLoadScenarios(fixture: () => Fixture): void {
  describe('the first load', () => {
    it('has at most 250 KiB gzipped in the page, its scripts and its styles', async () => {
      const { baseUrl } = fixture();
      const html = await (await fetch(baseUrl)).text();
      const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
      expect(files.length).toBeGreaterThan(1);
      const sizes = await Promise.all(
        files.map(async (path) => {
          const { headers } = await fetch(baseUrl + path, { headers: { 'accept-encoding': 'gzip' } });
          expect(headers.get('content-encoding')).toBe('gzip');
          return [path, Number(headers.get('content-length'))] as const;
        }),
      );
      const total = sizes.reduce((sum, [, size]) => sum + size, Buffer.byteLength(html));
      expect({ files: sizes, isWithin: total <= BUDGET_BYTES ? true : total }).toMatchObject({
        isWithin: true,
      });
    });

    it("requests nothing that the first screen doesn't need", async () => {
      const page = await fixture().open('/login', { as: null });
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      const names = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => name),
      );
      expect(names.filter((name) => /chart|screen/.test(name))).toEqual([
        expect.stringContaining('/assets/login-screen-'),
      ]);
    });
  });
}
