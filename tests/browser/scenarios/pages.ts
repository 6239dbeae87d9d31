import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from '@svcforms/test-kit';
import { violations } from '../accessibility.ts';
import { openedVisit, SOON, submitEmail } from '../popup-visit.ts';
import { ALL_FIELDS } from './renderer.ts';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { ALL_BYTES, CORE_BYTES, PART_BYTES } from '../../../services/embed-cdn/test/size-limits.ts';

/** Budgets for the loader alone, and for the loader with the renderer. */

/** docs/reference/embed.md#page-impact */
export function pageScenarios(fixture: () => Fixture): void {
  const opened = (options?: VisitOptions) => openedVisit(fixture(), options);

  describe('bundle size', () => {
    const size = async (path: string) => {
      const response = await fetch(fixture().baseUrl + path, { headers: { 'accept-encoding': 'identity' } });
      expect(response.status).toBe(200);
      return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
    };
    /** All chunks have the same hash. */
    const partOf = async (name: string) => {
      const loader = await (await fetch(`${fixture().baseUrl}/embed.js`)).text();
      return `/embed/${name}${/\.[0-9a-f]{12}\.js/.exec(loader)?.[0]}`;
    };

    it(`is at most ${CORE_BYTES} bytes for the script and ${ALL_BYTES} bytes with the renderer, by gzip -9`, async () => {
      const [core, ui, words] = [
        await size('/embed.js'),
        await size(await partOf('ui')),
        await size(await partOf('en')),
      ];
      expect(core).toBeLessThanOrEqual(CORE_BYTES);
      expect(core + ui + words).toBeLessThanOrEqual(ALL_BYTES);
    });

    it.each(PART_BYTES)('of the chunk %s is at most %i bytes', async (name, bytes) => {
      expect(await size(await partOf(name))).toBeLessThanOrEqual(bytes);
    });

    it('matches docs/benchmarks.md', async () => {
      const text = readFileSync(`${root}docs/benchmarks.md`, 'utf8');
      const [core, ui, words, consent] = [
        await size('/embed.js'),
        await size(await partOf('ui')),
        await size(await partOf('en')),
        await size(await partOf('consent')),
      ];
      const [ours = '', all = '', reader = ''] = text.split('\n').filter((line) => /^\| (Ours|…)/.test(line));
      // The compressed size varies slightly with the hashes in the chunk names.
      for (const [row, bytes] of [
        [ours, core],
        [all, core + ui + words],
        [reader, consent],
      ] as const) {
        expect(Math.abs(Number(row.split('|')[2]?.replace(/\D/g, '')) - bytes)).toBeLessThan(30);
      }
    });

    it('is the same as served', async () => {
      const response = await fetch(`${fixture().baseUrl}/embed.js`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(gzipSync(await response.text())).length).toBeGreaterThan(0);
    });
  });

  describe('a page with a strict content security policy', () => {
    it('has no violations, and a styled form that submits', async () => {
      const base = fixture().baseUrl;
      const visit = await opened({
        body: '<h1>x</h1>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        tags: (form) => `<script nonce="abc" src="${base}/embed.js" data-svc-form-id="${form.id}"></script>`,
      });
      await submitEmail(visit);
      expect(visit.problems).toEqual([]);
      const background = await visit.page.evaluate(
        () =>
          getComputedStyle(document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element)
            .borderRadius,
      );
      expect(background).toBe('8px');
    });
  });

  describe('accessibility', () => {
    const violationsIn = async ({ page }: Visit) => {
      // A form that fades in is still translucent. A cancelled animation has ended as well.
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .querySelector('svc-form')
            ?.shadowRoot?.getAnimations()
            .map((animation) => animation.finished) ?? [],
        ),
      );
      return violations(page);
    };
    const body = (dir: string) =>
      `<main><h1>A page</h1></main><script>document.documentElement.dir = '${dir}'</script>`;

    describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
      it.each(['ltr', 'rtl'])('of the modal has no violations, %s', async (dir) => {
        const visit = await opened({
          fields: ALL_FIELDS,
          popup: { ...SOON, decline: { enabled: true } },
          body: body(dir),
          contextOptions: { colorScheme, reducedMotion: 'reduce' },
          fakeClock: false,
        });
        expect(await violationsIn(visit)).toEqual([]);
        await visit.page.click('.primary');
        expect(await violationsIn(visit)).toEqual([]);
        expect(
          await visit.page.evaluate(
            () =>
              getComputedStyle(
                document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element,
              ).direction,
          ),
        ).toBe(dir);
      });

      it.each(['ltr', 'rtl'])('of the inline form has no violations, %s', async (dir) => {
        const visit = await fixture().visit({
          fields: ALL_FIELDS,
          body: body(dir),
          contextOptions: { colorScheme },
          fakeClock: false,
        });
        await visit.page.waitForSelector('form');
        expect(await violationsIn(visit)).toEqual([]);
        await visit.page.click('.primary');
        expect(await violationsIn(visit)).toEqual([]);
        await visit.page.getByLabel('Text').fill('x');
        await visit.page.click('.primary');
        await visit.page.waitForSelector('.done');
        expect(await violationsIn(visit)).toEqual([]);
      });

      it('of the hosted page has no violations', async () => {
        const visit = await fixture().visit({
          fields: ALL_FIELDS,
          contextOptions: { colorScheme },
          fakeClock: false,
        });
        await visit.page.goto(`${fixture().baseUrl}/f/${visit.form.id}`);
        await visit.page.waitForSelector('form');
        expect(await violationsIn(visit)).toEqual([]);
      });
    });

    it('allows 200 percent zoom without horizontal scrolling', async () => {
      const visit = await opened({
        fields: ALL_FIELDS,
        contextOptions: { viewport: { width: 320, height: 256 } },
      });
      const { overflow, inside } = await visit.page.evaluate(() => {
        const dialog = document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as HTMLElement;
        return {
          overflow: dialog.scrollWidth - dialog.clientWidth,
          inside: dialog.getBoundingClientRect().right <= innerWidth,
        };
      });
      expect({ overflow, inside }).toEqual({ overflow: 0, inside: true });
    });
  });
}
