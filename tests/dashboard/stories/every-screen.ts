import { populateAccount } from '../../isolation/account.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { overflowIn, violationsInBoth } from '../accessibility.ts';
import { furnishWithPayloads } from '../hostile-account.ts';
import { unreachableByTab } from '../keyboard.ts';
import { SCREENS, visit, type Ids, type Screen } from '../screens.ts';
import type { Stage } from '../stage.ts';

/** There are many, and a machine may have much else to do. */
const LONG_MS = 180_000;
const BROWSERS = 2;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 320, height: 640 };

/** What holds for each screen of the dashboard, whatever it is for. */
export function everyScreenStories(stage: () => Stage): void {
  describe('every screen', () => {
    let ids: Ids;
    beforeAll(async () => {
      const webhookEndpoint = await stage().startEndpoint();
      ids = (await populateAccount(stage().client, webhookEndpoint.url)).ids as Ids;
    });

    it(
      'has no violations in light or dark, is used by Tab alone, and fits a window of 320 pixels.',
      async () => {
        const wrong: Record<string, unknown> = {};
        await onEachScreen(stage(), ids, async (page, { heading }) => {
          await page.setViewportSize(WIDE);
          const found = {
            violations: await violationsInBoth(page),
            // Whatever takes a click can be reached.
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
      'shows what people and systems sent as text: nothing of it runs.',
      async () => {
        const hostile = await furnishWithPayloads(stage());
        const onContext = (context: BrowserContext) =>
          context.addInitScript(() => {
            // What a payload sets stays visible after the next page has come.
            Object.defineProperty(window, 'ran', {
              set(value: unknown) {
                localStorage.setItem('ran', `${location.pathname} ${String(value)}`);
              },
            });
          });
        await onEachScreen(
          stage(),
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

/** Visits all of them, in as many browsers at once as there are processors where tests run. */
async function onEachScreen(
  stage: Stage,
  ids: Ids,
  look: (page: Page, screen: Screen) => Promise<void>,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
): Promise<void> {
  const left = [...SCREENS];
  const walk = async () => {
    const page = await stage.open('/login');
    await prepare(page.context());
    for (let screen = left.shift(); screen; screen = left.shift()) {
      await visit(page, screen, ids);
      await look(page, screen);
    }
  };
  await Promise.all(Array.from({ length: BROWSERS }, walk));
}
