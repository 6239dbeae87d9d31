import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from '@svcforms/test-kit';
import { violations } from '../accessibility.ts';
import { ALL_FIELDS } from './renderer.ts';
import { GUARD_MS, scriptTag, type Stage, type Visit, type VisitOptions } from '../stage.ts';

const DELAY = { trigger: 'delay', delayMs: 100 } as const;

/** Of the loader, and of it with the renderer. */
const CORE_BYTES = 5120;
const ALL_BYTES = 12_288;

/** design: embed.md, Shape and weight, Modal */
export function pageStories(stage: () => Stage): void {
  const opened = async (options: VisitOptions = {}): Promise<Visit> => {
    const visit = await stage().visit({ popup: DELAY, ...options });
    await visit.pass(200);
    await visit.expectOpen();
    return visit;
  };
  const submit = async ({ page }: Visit) => {
    await page.fill('input[type=email]', 'ada@example.com');
    await page.click('.primary');
    await page.waitForSelector('.done');
  };

  describe('weight', () => {
    const size = async (path: string) => {
      const answer = await fetch(stage().baseUrl + path, { headers: { 'accept-encoding': 'identity' } });
      return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length;
    };
    const chunk = async (name: string) =>
      `/embed/${new RegExp(`${name}\\.[0-9a-f]+\\.js`).exec(await (await fetch(`${stage().baseUrl}/embed.js`)).text())?.[0] ?? ''}`;

    it(`the script is at most ${CORE_BYTES} bytes by gzip -9, with the renderer at most ${ALL_BYTES}`, async () => {
      const [core, ui, consent] = [
        await size('/embed.js'),
        await size(await chunk('ui')),
        await size(await chunk('consent')),
      ];
      expect(core).toBeLessThanOrEqual(CORE_BYTES);
      expect(core + ui).toBeLessThanOrEqual(ALL_BYTES);
      expect(core + ui + consent).toBeLessThanOrEqual(ALL_BYTES);
    });

    it('is what docs/benchmarks.md says', async () => {
      const text = readFileSync(`${root}docs/benchmarks.md`, 'utf8');
      const [core, ui, consent] = [
        await size('/embed.js'),
        await size(await chunk('ui')),
        await size(await chunk('consent')),
      ];
      const [ours = '', all = '', reader = ''] = text.split('\n').filter((line) => /^\| (Ours|…)/.test(line));
      // The names of chunks, which change with them, pack now better, now worse.
      for (const [row, bytes] of [
        [ours, core],
        [all, core + ui],
        [reader, consent],
      ] as const) {
        expect(Math.abs(Number(row.split('|')[2]?.replace(/\D/g, '')) - bytes)).toBeLessThan(30);
      }
    });

    it('is served as small as it was built', async () => {
      const answer = await fetch(`${stage().baseUrl}/embed.js`, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(gzipSync(await answer.text())).length).toBeGreaterThan(0);
    });
  });

  describe('a page with a strict policy', () => {
    it('has no violations, and a styled form that submits', async () => {
      const base = stage().baseUrl;
      const visit = await opened({
        body: '<h1>x</h1>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        tags: (form) => `<script nonce="abc" src="${base}/embed.js" data-svc-form-id="${form.id}"></script>`,
      });
      await submit(visit);
      expect(visit.problems).toEqual([]);
      const background = await visit.page.evaluate(
        () =>
          getComputedStyle(document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element)
            .borderRadius,
      );
      expect(background).toBe('8px');
    });
  });

  describe('a hostile page', () => {
    const HOSTILE = `<style>* { all: unset !important } .bar { position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; background: red !important }
      ::before, button, input, dialog, form { display: none !important }</style>
      <script>Array.prototype.extra = function () {}; Object.prototype.more = 1;</script>`;

    it('does not reach the form, whose styles do not reach the page', async () => {
      const visit = await stage().visit({
        popup: DELAY,
        head: HOSTILE,
        body: '<h1>x</h1><p id="probe">p</p><div class="bar"></div>',
      });
      const look = () =>
        visit.page.evaluate(() => {
          const style = getComputedStyle(document.querySelector('#probe') as Element);
          return [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
        });
      const before = await look();
      await visit.pass(200);
      await visit.expectOpen();
      expect(await look()).toBe(before);
      const box = await visit.page.evaluate(() => {
        const dialog = document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element;
        const { width, x } = dialog.getBoundingClientRect();
        const top = document.elementFromPoint(innerWidth / 2, dialog.getBoundingClientRect().y + 20)?.tagName;
        return { width, isCentred: Math.abs(x + width / 2 - innerWidth / 2) < 2, top };
      });
      expect(box).toEqual({ width: 512, isCentred: true, top: 'SVC-FORM' });
      await submit(visit);
      expect(visit.problems).toEqual([]);
    });

    it('opens above the dialogs of the page', async () => {
      const visit = await stage().visit({
        popup: DELAY,
        body: '<h1>x</h1><dialog id="own">own<button>in</button></dialog><script>own.showModal()</script>',
      });
      await visit.pass(200);
      await visit.expectOpen();
      await submit(visit);
      await visit.page.keyboard.press('Escape');
      await visit.expectClosed();
      expect(await visit.page.evaluate(() => document.querySelector<HTMLDialogElement>('#own')?.open)).toBe(
        true,
      );
    });

    it('is left with its globals, but for SvcForms, and its history', async () => {
      const globals = () =>
        Object.getOwnPropertyNames(window).filter((name) => !/^\d+$/.test(name) && !name.startsWith('__'));
      const bare = await stage().visit({ tags: () => '' });
      const before = await bare.page.evaluate(globals);
      const visit = await opened();
      await submit(visit);
      const after = await visit.page.evaluate(globals);
      expect(after.filter((name) => !before.includes(name))).toEqual(['SvcForms']);
      expect(
        await visit.page.evaluate(() =>
          Object.keys((window as never as { SvcForms: object }).SvcForms).sort(),
        ),
      ).toEqual(['close', 'open']);
      expect(await visit.page.evaluate(() => history.length)).toBe(2);
    });

    it('a second copy of the script only adds its tag', async () => {
      const other = (await stage().visit({ tags: () => '' })).form;
      const visit = await stage().visit({
        popup: DELAY,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}"`) +
          scriptTag(
            `${base.replace('127.0.0.1', 'localhost')}`,
            `data-svc-form-id="${other.id}" data-svc-trigger="delay:100"`,
          ),
      });
      await visit.pass(500);
      await visit.expectOpen();
      expect(await visit.page.locator('svc-form').count()).toBe(1);
    });

    it('may load the script async, and in its head', async () => {
      const visit = await stage().visit({
        popup: DELAY,
        tags: () => '',
        fakeClock: false,
      });
      const base = stage().baseUrl;
      stage().site.put({
        html: `<!doctype html><html lang="en"><head><title>x</title><script async src="${base}/embed.js" data-svc-form-id="${visit.form.id}"></script></head><body><h1>x</h1></body></html>`,
      });
      await visit.page.reload();
      await visit.expectOpen();
    });
  });

  describe('accessibility', () => {
    const violationsIn = async ({ page }: Visit) => {
      // A form that is still coming in is half transparent.
      await page.evaluate(() =>
        Promise.all(
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
      it.each(['ltr', 'rtl'])('the modal has no violations, %s', async (dir) => {
        const visit = await opened({
          fields: ALL_FIELDS,
          popup: { ...DELAY, decline: { enabled: true } },
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

      it.each(['ltr', 'rtl'])('the inline form has no violations, %s', async (dir) => {
        const visit = await stage().visit({
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

      it('the hosted page has no violations', async () => {
        const visit = await stage().visit({
          fields: ALL_FIELDS,
          contextOptions: { colorScheme },
          fakeClock: false,
        });
        await visit.page.goto(`${stage().baseUrl}/f/${visit.form.id}`);
        await visit.page.waitForSelector('form');
        expect(await violationsIn(visit)).toEqual([]);
      });
    });

    it('can be read at twice the size, without scrolling sideways', async () => {
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

  describe('speed', () => {
    it('arms without a long task at a quarter of the CPU, and shifts nothing', async () => {
      const visit = await stage().visit({ fakeClock: false, tags: () => '' });
      const session = await visit.context.newCDPSession(visit.page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const base = stage().baseUrl;
      stage().site.put({
        html: `<!doctype html><html lang="en"><head><title>x</title><script>
          window.long = []; new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => e.duration))).observe({type: 'longtask', buffered: true});
          window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({type: 'layout-shift', buffered: true});
          </script></head><body><h1>x</h1><div style="height:3000px"></div>${scriptTag(base, `data-svc-form-id="${visit.form.id}" data-svc-trigger="exit, scroll:50, click:.x, visible:.x, intent, inactivity:90000"`)}</body></html>`,
      });
      await visit.page.reload();
      await visit.page.waitForLoadState('networkidle');
      expect(await visit.page.evaluate('long.filter((ms) => ms > 50).length')).toBe(0);
      expect(await visit.page.evaluate('shift')).toBe(0);
    });

    it('shifts nothing when it opens', async () => {
      const visit = await opened({
        head: `<script>window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({type: 'layout-shift', buffered: true})</script>`,
      });
      expect(await visit.page.evaluate('shift')).toBe(0);
    });

    it('lets the page into the back/forward cache, and comes back armed', async () => {
      const visit = await stage().visit({ popup: { trigger: 'click', selector: '#top' }, fakeClock: false });
      await visit.page.evaluate(() =>
        addEventListener(
          'pageshow',
          (event) => ((window as never as { persisted: boolean }).persisted = event.persisted),
        ),
      );
      const reasons = await visit.page.evaluate(
        () =>
          (performance.getEntriesByType('navigation')[0] as never as { notRestoredReasons?: unknown })
            .notRestoredReasons ?? null,
      );
      expect(reasons).toBeNull();
      const types = readFileSync(`${root}dist/embed/embed.js`, 'utf8');
      expect(types).not.toMatch(/["'](before)?unload["']|popstate|pushState|replaceState/);
      expect(GUARD_MS).toBe(15_000);
    });
  });
}
