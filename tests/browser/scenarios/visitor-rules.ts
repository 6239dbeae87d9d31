import type { Popup } from '@svcforms/contracts';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { atOnce } from '../at-once.ts';
import { DAY_MS, GUARD_MS, scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

const DELAY = { trigger: 'delay', delayMs: 1000 } as const;
const PHONE = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  isMobile: true,
  hasTouch: true,
};

/** docs/reference/popups.md#popup-settings */
export function visitorRuleScenarios(fixture: () => Fixture): void {
  describe('page targeting', () => {
    const opensAt = async (path: string, pages: Popup['pages']) => {
      const visit = await fixture().visit({ popup: { ...DELAY, pages }, path });
      await visit.pass(1000);
      await visit.waitForUi();
      return visit.isOpen();
    };

    const TWENTY_ONE = Array.from({ length: 21 }, (_, i) => `/p${i}`);
    it.each<[string, [path: string, pages: Popup['pages'], opens: boolean][]]>([
      [
        'an absent or empty include means every page; only exclude means every other page',
        [
          ['/any', {}, true],
          ['/any', { include: [] }, true],
          ['/any', { exclude: ['/cart'] }, true],
          ['/cart', { exclude: ['/cart'] }, false],
        ],
      ],
      [
        'a path in both lists is excluded',
        [
          ['/a', { include: ['/a'], exclude: ['/a'] }, false],
          ['/blog/x', { include: ['/blog/*'], exclude: ['*'] }, false],
        ],
      ],
      [
        'a final * matches subpaths, but neither the path itself nor similar names',
        [
          ['/blog/post', { include: ['/blog/*'] }, true],
          ['/blog/2024/post', { include: ['/blog/*'] }, true],
          ['/blog', { include: ['/blog/*'] }, false],
          ['/blog/', { include: ['/blog/*'] }, false],
          ['/blogger', { include: ['/blog/*'] }, false],
          ['/', { include: ['*'] }, true],
        ],
      ],
      [
        'a path without * matches only that page',
        [
          ['/pricing', { include: ['/pricing'] }, true],
          ['/pricing/eu', { include: ['/pricing'] }, false],
        ],
      ],
      [
        'query, hash, case and a trailing slash are ignored',
        [
          ['/pricing?a=1#b', { include: ['/pricing'] }, true],
          ['/pricing', { include: ['/pricing?x#y'] }, true],
          ['/Pricing', { include: ['/pRICING'] }, true],
          ['/pricing/', { include: ['/pricing'] }, true],
          ['/pricing', { include: ['/pricing/'] }, true],
        ],
      ],
      ['a leading slash is added', [['/pricing', { include: ['pricing'] }, true]]],
      [
        'a list keeps 20 paths',
        [
          ['/p20', { include: TWENTY_ONE }, false],
          ['/p19', { include: TWENTY_ONE }, true],
        ],
      ],
      [
        'no path is a regular expression, in any alphabet',
        [
          ['/aXb', { include: ['/a.b'] }, false],
          ['/a.b', { include: ['/a.b'] }, true],
          ['/x', { include: ['/(x|y)'] }, false],
          ['/a+(b)', { include: ['/a+(b)'] }, true],
          ['/caf%C3%A9', { include: ['/café'] }, true],
          ['/100%', { include: ['/100%'] }, true],
        ],
      ],
    ])('%s', async (_, cases) => {
      const results = await atOnce(cases, async ([path, pages]) => [path, pages, await opensAt(path, pages)]);
      expect(results).toEqual(cases);
    });

    it('reads the location without a pages rule only to notice a new path', async () => {
      const watch = () => {
        const reads: string[] = [];
        (window as never as { reads: string[] }).reads = reads;
        const url = Object.getOwnPropertyDescriptor(Document.prototype, 'URL');
        Object.defineProperty(Document.prototype, 'URL', {
          get(this: Document) {
            reads.push('URL');
            return url?.get?.call(this) as string;
          },
        });
      };
      const visit = await fixture().visit({ popup: DELAY, init: watch });
      await visit.pass(1000);
      await visit.expectOpen();
      // `location` itself can't be watched, so its use is looked for in what was served.
      expect(await visit.page.evaluate(() => (window as never as { reads: string[] }).reads)).toEqual([]);
      const source = await (await fetch(`${fixture().baseUrl}/embed.js`)).text();
      // In page rules, and twice where the page navigates.
      expect(source.match(/location\.pathname/g)).toHaveLength(3);
    });

    it('stays armed when the site returns from an excluded page', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'click', selector: 'h1', pages: { exclude: ['/cart'] } },
      });
      await visit.page.evaluate(() => history.pushState(null, '', '/cart'));
      await visit.page.click('h1');
      await visit.expectClosed();
      await visit.page.evaluate(() => history.pushState(null, '', '/'));
      await visit.page.click('h1');
      await visit.expectOpen();
    });

    it('never opens on an excluded page that the site navigated to', async () => {
      const visit = await fixture().visit({ popup: { ...DELAY, pages: { exclude: ['/cart'] } } });
      await visit.page.evaluate(() => history.pushState(null, '', '/cart'));
      await visit.pass(5000);
      await visit.expectClosed();
    });
  });

  it('device targeting uses device type and pointer, not window width', async () => {
    const NARROW = { viewport: { width: 320, height: 600 } };
    const cases: [Popup['devices'], BrowserContextOptions, boolean][] = [
      ['all', {}, true],
      ['all', PHONE, true],
      ['desktop', {}, true],
      ['desktop', PHONE, false],
      ['mobile', {}, false],
      ['mobile', PHONE, true],
      ['desktop', NARROW, true],
    ];
    const results = await atOnce(cases, async ([devices, contextOptions]) => {
      const visit = await fixture().visit({ popup: { ...DELAY, devices }, contextOptions });
      await visit.pass(1000);
      await visit.waitForUi();
      return [devices, contextOptions, await visit.isOpen()];
    });
    expect(results).toEqual(cases);
  });

  describe('the frequency cap and maximum impressions', () => {
    /** When it was closed. */
    const closedAt = new WeakMap<BrowserContext, number>();
    const timeOf = (page: Page) => page.evaluate(() => Date.now());

    /** Opens the next page of the same visitor, `days` after the popup was closed. */
    const later = async ({ context, form, page }: Visit, days: number): Promise<boolean> => {
      const passed = (await timeOf(page)) - (closedAt.get(context) ?? 0);
      await context.clock.fastForward(Math.max(0, Math.round(days * DAY_MS) - passed));
      const visit = await fixture().visit({ context, form });
      await visit.pass(1000);
      await visit.waitForUi();
      const isOpen = await visit.isOpen();
      await visit.page.close();
      return isOpen;
    };
    const shown = async (
      popup: VisitOptions['popup'],
      close: (visit: Visit) => Promise<unknown> = ({ page }) => page.keyboard.press('Escape'),
    ) => {
      const visit = await fixture().visit({ popup: { ...DELAY, ...popup } });
      await visit.pass(1000);
      await visit.expectOpen();
      await close(visit);
      closedAt.set(visit.context, await timeOf(visit.page));
      return visit;
    };

    it('frequencyDays: opens again only after that many days', async () => {
      const visit = await shown({ frequencyDays: 3 });
      expect(await later(visit, 0)).toBe(false);
      expect(await later(visit, 2.9)).toBe(false);
      expect(await later(visit, 3.1)).toBe(true);
    });

    it('frequencyDays absent: 30 days', async () => {
      const visit = await shown({});
      expect(await later(visit, 29.9)).toBe(false);
      expect(await later(visit, 30.1)).toBe(true);
    });

    it('frequencyDays 0: once per session', async () => {
      const visit = await shown({ frequencyDays: 0 });
      // sessionStorage belongs to a tab: same tab, another page.
      await visit.arm(() => visit.page.reload());
      await visit.pass(1000);
      await visit.expectClosed();
      expect(await later(visit, 0)).toBe(true);
    });

    it('a clock that was ahead delays nothing once it is right', async () => {
      const { context, form, page } = await shown({ frequencyDays: 3 });
      await context.clock.setSystemTime((await timeOf(page)) - 400 * DAY_MS);
      const visit = await fixture().visit({ context, form });
      await visit.pass(1000);
      await visit.expectOpen();
    });

    it('a passive close restarts the wait', async () => {
      const visit = await shown({ frequencyDays: 1 }, async ({ page, pass, expectClosed }) => {
        await pass(DAY_MS / 2);
        await page.keyboard.press('Escape');
        await expectClosed();
      });
      expect(await later(visit, 0.9)).toBe(false);
      expect(await later(visit, 1.1)).toBe(true);
    });

    it('maxShows: opens at most that often', async () => {
      const visit = await shown({ maxShows: 2, frequencyDays: 1 });
      expect(await later(visit, 2)).toBe(true);
      expect(await later(visit, 10)).toBe(false);
      expect(await later(visit, 4000)).toBe(false);
    });

    it('both: the stricter one applies', async () => {
      const visit = await shown({ maxShows: 5, frequencyDays: 10 });
      expect(await later(visit, 5)).toBe(false);
      expect(await later(visit, 11)).toBe(true);
    });

    it('decline: suppresses for 90 days, even with frequencyDays 0', async () => {
      const decline = ({ page }: Visit) => page.click('text=No thanks');
      const visit = await shown({ decline: { enabled: true }, frequencyDays: 0 }, decline);
      await visit.expectClosed();
      expect(visit.counted).toEqual(['shown', 'declined']);
      expect(await later(visit, 89.9)).toBe(false);
      expect(await later(visit, 90.1)).toBe(true);
    });

    it('decline: uses its own label and days', async () => {
      const popup = { decline: { enabled: true, text: 'Go away', suppressDays: 5 }, frequencyDays: 1 };
      const visit = await shown(popup, ({ page }) => page.click('text=Go away'));
      expect(await later(visit, 4.9)).toBe(false);
      expect(await later(visit, 5.1)).toBe(true);
    });

    it('decline: suppressDays 0 falls back to frequencyDays', async () => {
      const popup = { decline: { enabled: true, suppressDays: 0 }, frequencyDays: 2 };
      const visit = await shown(popup, ({ page }) => page.click('text=No thanks'));
      expect(await later(visit, 1.9)).toBe(false);
      expect(await later(visit, 2.1)).toBe(true);
    });

    it('decline: shows no button unless it is enabled', async () => {
      const visit = await shown({ decline: { enabled: false, text: 'Go away' } }, async () => {});
      expect(await visit.page.locator('text=Go away').count()).toBe(0);
    });

    it('a conversion starts the wait', async () => {
      const visit = await shown({ frequencyDays: 4 }, async ({ page }) => {
        await page.fill('input[type=email]', 'ada@example.com');
        await page.click('text=Submit');
        await page.waitForSelector('.done');
      });
      expect(visit.counted).toEqual(['shown', 'converted']);
      expect(await later(visit, 3.9)).toBe(false);
      expect(await later(visit, 4.1)).toBe(true);
    });

    it('an impression starts the wait, even when the visitor leaves with the modal open', async () => {
      const visit = await shown({ frequencyDays: 1 }, async () => {});
      expect(await later(visit, 0.9)).toBe(false);
      expect(await later(visit, 1.1)).toBe(true);
    });

    const blockStorage = () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
      }
    };
    const fillStorage = () => {
      Object.defineProperty(Storage.prototype, 'setItem', {
        configurable: true,
        writable: true,
        value() {
          throw new DOMException('full', 'QuotaExceededError');
        },
      });
    };

    it.each([
      ['blocked', blockStorage],
      ['full', fillStorage],
    ])('%s storage: once per page load', async (_, init) => {
      const visit = await fixture().visit({
        popup: DELAY,
        init,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}"`) +
          scriptTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="delay:5000"`),
      });
      await visit.pass(1000);
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.pass(5000);
      await visit.expectClosed();
      expect(visit.problems).toEqual([]);
    });

    it('full storage: the last successful write applies', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, frequencyDays: 1 },
        init: `const { setItem } = Storage.prototype; (${fillStorage.toString()})();
          window.makeRoom = () => { Storage.prototype.setItem = setItem; }`,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}"`) +
          scriptTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="click:h1"`),
      });
      await visit.pass(1000);
      await visit.expectOpen();
      await visit.pass(DAY_MS / 2);
      await visit.page.evaluate('makeRoom()');
      await visit.page.keyboard.press('Escape');
      await visit.pass(0.7 * DAY_MS);
      await visit.page.click('h1');
      await visit.expectClosed();
    });

    it('an iframe without storage and cookies: opens, counts and closes', async () => {
      const { form } = await fixture().visit({
        popup: { ...DELAY, trackingConsent: { cookie: 'c', storageKey: 'k' } },
      });
      const inner = scriptTag(fixture().baseUrl, `data-svc-form-id='${form.id}' data-svc-trigger='delay:1'`);
      const visit = await fixture().visit({
        tags: () =>
          `<iframe sandbox="allow-scripts" style="width:900px;height:600px" srcdoc="<h1>x</h1>${inner.replaceAll('"', "'")}"></iframe>`,
        isUnarmed: true,
        fakeClock: false,
      });
      const frame = visit.page.frameLocator('iframe');
      await frame.locator('dialog[open]').waitFor();
      await frame.locator('[aria-label=Close]').click();
      await frame.locator('dialog').waitFor({ state: 'detached' });
      expect(visit.counted).toEqual(['shown']);
      expect(visit.problems).toEqual([]);
    });
  });

  describe('a visitor who is excluded, capped or on the wrong device', () => {
    it('requests the script and the JSON and nothing else', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, devices: 'mobile', trackingConsent: { cookie: 'c' } },
        isExcluded: true,
      });
      await visit.pass(GUARD_MS * 10);
      expect(visit.requests).toEqual(['GET /embed.js', `GET /embed/forms/${visit.form.id}.json`]);
    });
  });
}
