import { furnish } from '../../isolation/account.ts';
import { overflow, violations } from '../accessibility.ts';
import { furnishWithPayloads } from '../hostile-account.ts';
import { unreachableByTab } from '../keyboard.ts';
import { SCREENS, visit, type Ids } from '../screens.ts';
import type { Stage } from '../stage.ts';

/** A quarter of a second each, and there are many. */
const LONG_MS = 120_000;

/** What holds for each screen of the dashboard, whatever it is for. */
export function everyScreenStories(stage: () => Stage): void {
  describe('every screen', () => {
    let ids: Ids;
    beforeAll(async () => {
      const listener = await stage().listen();
      ids = (await furnish(stage().client, listener.url)).ids as Ids;
    });

    it.each(['light', 'dark'] as const)(
      'has no violations, in %s.',
      async (colorScheme) => {
        const page = await stage().open('/forms', { context: { colorScheme } });
        const found: Record<string, string[]> = {};
        for (const screen of SCREENS) {
          await visit(page, screen, ids);
          const wrong = await violations(page);
          if (wrong.length > 0) found[screen.heading] = wrong;
        }
        expect(found).toEqual({});
      },
      LONG_MS,
    );

    it(
      'fits a window of 320 pixels.',
      async () => {
        const page = await stage().open('/forms', { context: { viewport: { width: 320, height: 640 } } });
        const tooWide: Record<string, number> = {};
        for (const screen of SCREENS) {
          await visit(page, screen, ids);
          const pixels = await overflow(page);
          if (pixels > 0) tooWide[screen.heading] = pixels;
        }
        expect(tooWide).toEqual({});
      },
      LONG_MS,
    );

    it(
      'can be used by the keyboard alone: whatever takes a click can be reached by Tab.',
      async () => {
        const page = await stage().open('/forms');
        const missed: Record<string, string[]> = {};
        for (const screen of SCREENS) {
          await visit(page, screen, ids);
          const unreachable = await unreachableByTab(page);
          if (unreachable.length > 0) missed[screen.heading] = unreachable;
        }
        expect(missed).toEqual({});
      },
      LONG_MS,
    );

    it(
      'shows what people and systems sent as text: nothing of it runs.',
      async () => {
        const hostile = await furnishWithPayloads(stage());
        const page = await stage().open('/forms');
        await page.context().addInitScript(() => {
          // What a payload sets stays visible after the next page has come.
          Object.defineProperty(window, 'ran', {
            set(value: unknown) {
              localStorage.setItem('ran', `${location.pathname} ${String(value)}`);
            },
          });
        });
        for (const screen of SCREENS) {
          await visit(page, screen, hostile);
          expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull();
          expect(
            await page
              .locator('iframe[srcdoc], [onerror], [onload], [onfocus], [href^="javascript:"]')
              .count(),
          ).toBe(0);
        }
      },
      LONG_MS,
    );
  });
}
