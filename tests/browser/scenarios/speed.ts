import { poll } from '@svcforms/test-kit';
import { costOfLoad } from '../script-cost.ts';
import { startSite } from '../site.ts';
import { scriptTag, type Fixture } from '../fixture.ts';
import { openSoon, SOON } from '../popup-visit.ts';

/** Browsers report tasks above this duration because visitors notice them. */
const LONG_MS = 50;
const LOADS = 3;
const WATCH_SHIFTS = `<script>window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({type: 'layout-shift', buffered: true})</script>`;
const EVERYTHING = 'exit, scroll:50, click:.x, visible:.x, intent, inactivity:90000, delay:90000';

/** docs/reference/embed.md#page-impact */
export function speedScenarios(fixture: () => Fixture): void {
  describe('loading speed', () => {
    it('arms without a long task at a quarter of the CPU', async () => {
      const { form } = await fixture().visit({ fakeClock: false, tags: () => '' });
      const { baseUrl } = fixture();
      const site = await startSite();
      site.put({
        html: `<!doctype html><html lang="en"><head><title>x</title></head><body><h1>x</h1><div style="height:3000px"></div>${scriptTag(baseUrl, `data-svc-form-id="${form.id}" data-svc-trigger="${EVERYTHING}"`)}</body></html>`,
      });
      const longest: number[] = [];
      // The best of several runs, because noise of the machine only adds time.
      for (let i = 0; i < LOADS; i++) {
        const page = await (await fixture().newContext()).newPage();
        const cost = await costOfLoad(page, site.url, `${baseUrl}/embed.js`);
        expect(cost.arming).toBeGreaterThan(0);
        longest.push(cost.longest);
      }
      expect(Math.min(...longest)).toBeLessThan(LONG_MS);
    });

    // `npm run bench:embed` measures the time to arm; these properties keep it short.
    it('reads storage before the form loads, the longest step', async () => {
      const visit = await fixture().visit({ popup: SOON, tags: () => '', init: watchStorage });
      const { page, form } = visit;
      const reads = () => page.evaluate(() => (window as never as { reads: string[] }).reads);
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/embed/forms/*', async (route) => {
        await isReleased;
        await route.continue();
      });
      await visit.arm(async () => {
        await page.evaluate(
          ([src, id]) => {
            const tag = Object.assign(document.createElement('script'), { src });
            tag.setAttribute('data-svc-form-id', id);
            document.body.append(tag);
          },
          [`${fixture().baseUrl}/embed.js`, form.id] as const,
        );
        await poll(async () => (await reads()).length, { what: 'the look into the storage' });
        release();
      });
      expect(new Set(await reads())).toEqual(new Set([`svc:${form.id}`]));
    });

    it('compiles all functions at once', async () => {
      const script = await (await fetch(`${fixture().baseUrl}/embed.js`)).text();
      expect(script.split('\n')[0]).toBe('//# allFunctionsCalledOnLoad');
    });

    it('shifts no layout when it arms or opens', async () => {
      const visit = await fixture().visit({
        popup: SOON,
        head: WATCH_SHIFTS,
        body: '<h1>x</h1><div style="height:3000px"></div><p>end</p>',
      });
      expect(await visit.page.evaluate('shift')).toBe(0);
      await openSoon(visit);
      expect(await visit.page.evaluate('shift')).toBe(0);
    });
  });
}

/** Runs in the page before its scripts: notes what is read of the storage, by its key. */
function watchStorage(): void {
  const reads: string[] = [];
  Object.assign(window, { reads });
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    reads.push(key);
    return getItem.call(this, key);
  };
}
