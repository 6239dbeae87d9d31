import { populateAccount } from '../../isolation/account.ts';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { misaligned } from '../support/alignment.ts';
import { overflowIn, violationsInBoth } from '../support/accessibility.ts';
import { seedHostileData } from '../support/hostile-data.ts';
import { unreachableByTab } from '../support/keyboard.ts';
import { splitWords } from '../support/split-words.ts';
import { SCREENS, visit, type Ids, type Screen } from '../support/screens.ts';
import type { Fixture } from '../support/fixture.ts';

/** The number of screens needs a long timeout on a busy machine. */
const LONG_MS = 180_000;
const BROWSERS = 2;
const WIDE = { width: 1280, height: 800 };
/** The cumulative layout shift that web.dev calls good. */
const MOST_SHIFT = 0.1;
const NARROW = { width: 320, height: 640 };

/** The requirements for every screen of the dashboard. */
export function everyScreenScenarios(fixture: () => Fixture): void {
  describe('every screen', () => {
    let ids: Ids;
    beforeAll(async () => {
      const endpoint = await fixture().startEndpoint();
      ids = (await populateAccount(fixture().client, endpoint.url)).ids as Ids;
    });

    it(
      'moves nothing while it loads, aligns inputs beside each other, has no violations in light or dark, is usable by Tab alone, and fits a window of 320 pixels',
      async () => {
        const wrong: Record<string, unknown> = {};
        const look = async (page: Page, { heading }: Screen) => {
          const shift = await shiftOf(page);
          await page.setViewportSize(WIDE);
          const found = {
            misaligned: await misaligned(page),
            violations: await violationsInBoth(page),
            // Tab reaches everything that a click can reach.
            unreachable: await unreachableByTab(page),
            tooWide: await overflowIn(page, NARROW),
            shift: shift > MOST_SHIFT ? shift : 0,
          };
          const { misaligned: crooked, violations, unreachable, tooWide } = found;
          if (crooked.length + violations.length + unreachable.length + tooWide + found.shift > 0) {
            wrong[String(heading)] = found;
          }
          // The next screen loads in a wide window.
          await page.setViewportSize(WIDE);
        };
        await onEachScreen(fixture(), ids, look, (context) => context.addInitScript(watchShifts));
        expect(wrong).toEqual({});
      },
      LONG_MS,
    );

    it(
      'has inputs on a touch screen that phones don’t zoom into, and fits it',
      async () => {
        const wrong: Record<string, unknown> = {};
        const touch = { viewport: NARROW, isMobile: true, hasTouch: true };
        await onEachScreen(
          fixture(),
          ids,
          async (page, { heading }) => {
            const sizes = await page.evaluate(() =>
              [...document.querySelectorAll('input, textarea, select')].map((input) =>
                parseFloat(getComputedStyle(input).fontSize),
              ),
            );
            const overflow = await overflowIn(page, NARROW);
            // Safari on iOS zooms into smaller text.
            if (Math.min(...sizes, 16) < 16 || overflow > 0) wrong[String(heading)] = { sizes, overflow };
          },
          async () => {},
          touch,
        );
        expect(wrong).toEqual({});
      },
      LONG_MS,
    );

    it(
      'shows untrusted and long values as text, runs none of them, keeps other words whole and fits a window of 320 pixels',
      async () => {
        const split: Record<string, string[]> = {};
        const tooWide: Record<string, number> = {};
        const hostile = await seedHostileData(fixture());
        const onContext = (context: BrowserContext) =>
          context.addInitScript(() => {
            // Keeps the result across navigation.
            Object.defineProperty(window, 'ran', {
              set(value: unknown) {
                localStorage.setItem('ran', `${location.pathname} ${String(value)}`);
              },
            });
          });
        await onEachScreen(
          fixture(),
          hostile,
          async (page, { heading }) => {
            const words = await splitWords(page);
            if (words.length > 0) split[String(heading)] = words;
            expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull();
            expect(
              await page
                .locator('iframe[srcdoc], [onerror], [onload], [onfocus], [href^="javascript:"]')
                .count(),
            ).toBe(0);
            const overflow = await overflowIn(page, NARROW);
            if (overflow > 0) tooWide[String(heading)] = overflow;
            // The next screen loads in a wide window.
            await page.setViewportSize(WIDE);
          },
          onContext,
        );
        expect({ split, tooWide }).toEqual({ split: {}, tooWide: {} });
      },
      LONG_MS,
    );
  });
}

/** Runs in the page: adds up how much of it has moved without an input of the user. */
function watchShifts(): void {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) sum += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  Object.defineProperty(window, 'shifted', { get: () => sum });
}

const shiftOf = (page: Page) => page.evaluate(() => (window as never as { shifted: number }).shifted);

/** Visits all screens with several browser contexts in parallel. */
async function onEachScreen(
  fixture: Fixture,
  ids: Ids,
  look: (page: Page, screen: Screen) => Promise<void>,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
  context: BrowserContextOptions = {},
): Promise<void> {
  const queue = [...SCREENS];
  const walk = async () => {
    const page = await fixture.open('/login', { context });
    await prepare(page.context());
    for (let screen = queue.shift(); screen; screen = queue.shift()) {
      await visit(page, screen, ids);
      await look(page, screen);
    }
  };
  await Promise.all(Array.from({ length: BROWSERS }, walk));
}
