import { populateAccount } from '../../isolation/account.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { overflowIn, violationsInBoth } from '../support/accessibility.ts';
import { seedHostileData } from '../support/hostile-data.ts';
import { unreachableByTab } from '../support/keyboard.ts';
import { SCREENS, visit, type Ids, type Screen } from '../support/screens.ts';
import type { Fixture } from '../support/fixture.ts';

/** The number of screens needs a long timeout on a busy machine. */
const LONG_MS = 180_000;
const BROWSERS = 2;
const WIDE = { width: 1280, height: 800 };
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
      'has no violations in light or dark, is usable by Tab alone, and fits a window of 320 pixels',
      async () => {
        const wrong: Record<string, unknown> = {};
        await onEachScreen(fixture(), ids, async (page, { heading }) => {
          await page.setViewportSize(WIDE);
          const found = {
            violations: await violationsInBoth(page),
            // Tab reaches everything that a click can reach.
            unreachable: await unreachableByTab(page),
            tooWide: await overflowIn(page, NARROW),
          };
          if (found.violations.length + found.unreachable.length + found.tooWide > 0) wrong[heading] = found;
        });
        expect(wrong).toEqual({});
      },
      LONG_MS,
    );

    it(
      'shows untrusted values as text and runs none of them',
      async () => {
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
          async (page) => {
            expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull();
            expect(
              await page
                .locator('iframe[srcdoc], [onerror], [onload], [onfocus], [href^="javascript:"]')
                .count(),
            ).toBe(0);
          },
          onContext,
        );
      },
      LONG_MS,
    );
  });
}

/** Visits all screens with several browser contexts in parallel. */
async function onEachScreen(
  fixture: Fixture,
  ids: Ids,
  look: (page: Page, screen: Screen) => Promise<void>,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
): Promise<void> {
  const queue = [...SCREENS];
  const walk = async () => {
    const page = await fixture.open('/login');
    await prepare(page.context());
    for (let screen = queue.shift(); screen; screen = queue.shift()) {
      await visit(page, screen, ids);
      await look(page, screen);
    }
  };
  await Promise.all(Array.from({ length: BROWSERS }, walk));
}
