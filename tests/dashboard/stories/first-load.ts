import type { Stage } from '../stage.ts';

const BUDGET_BYTES = 250 * 1024;

export function firstLoadStories(stage: () => Stage): void {
  describe('the first load', () => {
    it('is at most 250 KiB gzipped: the page, and the scripts and styles that it names.', async () => {
      const { baseUrl } = stage();
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

    it('asks for nothing that the first screen does not need.', async () => {
      const page = await stage().open('/login', { as: null });
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
