import { poll } from '@svcforms/test-kit';
import type { Popup } from '@svcforms/contracts';
import type { CDPSession } from 'playwright-core';
import { launchBrowser } from '../launch-browser.ts';
import type { Fixture, Visit } from '../fixture.ts';

interface Kept extends Visit {
  /** Evaluates in the current page; Playwright handles don't survive the back/forward cache. */
  read<T>(expression: string): Promise<T>;
  /** Follows a link to another site and returns through the history. */
  leaveAndReturn(): Promise<void>;
}

const HEAD = `<script>addEventListener('pageshow', ({ persisted }) => (window.isRestored = persisted))</script>`;
const WHY_NOT = `JSON.stringify(performance.getEntriesByType('navigation')[0]?.notRestoredReasons ?? null)`;
const DIALOG = `document.querySelector('svc-form')?.shadowRoot.querySelector('dialog[open]')`;

/** The back/forward cache must be able to store the page: docs/reference/embed.md#page-impact */
export function backForwardScenarios(fixture: () => Fixture): void {
  describe('the back/forward cache', () => {
    /** A visit in a browser whose back/forward cache Playwright hasn't disabled. */
    const keep = async (popup: Popup, run: (visit: Kept) => Promise<void>) => {
      const browser = await launchBrowser({
        isWhole: true,
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
      try {
        const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
        const visit = await fixture().visit({ popup, context, head: HEAD, fakeClock: false });
        const session = await context.newCDPSession(visit.page);
        const read = async <T>(expression: string) => evaluate<T>(session, expression);
        await run({ ...visit, read, leaveAndReturn: () => leaveAndReturn(session, visit.page.url()) });
      } finally {
        await browser.close();
      }
    };

    it('stores the page and restores it armed', async () => {
      await keep({ trigger: 'click', selector: '#top' }, async ({ leaveAndReturn, read, page, counted }) => {
        await leaveAndReturn();
        expect(await read(`!!${DIALOG}`)).toBe(false);
        const { x, y } = await read<DOMRect>(
          `document.querySelector('#top').getBoundingClientRect().toJSON()`,
        );
        await page.mouse.click(x + 5, y + 5);
        await poll(() => read(`!!${DIALOG}`), { what: 'the modal' });
        expect(counted).toEqual(['shown']);
      });
    });

    it('continues a timer that started before', async () => {
      await keep({ trigger: 'delay', delayMs: 4000 }, async ({ leaveAndReturn, read, counted }) => {
        await leaveAndReturn();
        await poll(() => read(`!!${DIALOG}`), { what: 'the modal' });
        expect(counted).toEqual(['shown']);
      });
    });

    it('keeps an open modal with its input and does not count it twice', async () => {
      await keep({ trigger: 'delay', delayMs: 1 }, async (visit) => {
        const { leaveAndReturn, read, page, counted } = visit;
        await visit.expectOpen();
        await page.keyboard.type('ada@example.com');
        await leaveAndReturn();
        expect(await read(`${DIALOG}.querySelector('input').value`)).toBe('ada@example.com');
        await page.keyboard.press('Escape');
        await poll(() => read(`!${DIALOG}`), { what: 'the closing' });
        expect(counted).toEqual(['shown']);
      });
    });
  });
}

async function evaluate<T>(session: CDPSession, expression: string): Promise<T> {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  return result.value as T;
}

async function leaveAndReturn(session: CDPSession, from: string): Promise<void> {
  // There is no page to query during the navigation.
  const isAt = (url: string) => () =>
    evaluate<string>(session, 'location.href').then(
      (href) => href === url,
      () => false,
    );
  // The same server under another name is another site. A form there would count too.
  const elsewhere = new URL('/elsewhere', from.replace('127.0.0.1', 'localhost')).href;
  await session.send('Page.navigate', { url: elsewhere });
  await poll(isAt(elsewhere), { what: 'the other site' });
  const { entries, currentIndex } = await session.send('Page.getNavigationHistory');
  const entryId = entries[currentIndex - 1]?.id ?? -1;
  await session.send('Page.navigateToHistoryEntry', { entryId });
  await poll(isAt(from), { what: 'the page' });
  await poll(async () => (await evaluate<boolean | undefined>(session, 'window.isRestored')) !== undefined, {
    what: 'pageshow',
  });
  const isRestored = await evaluate<boolean>(session, 'window.isRestored');
  expect(isRestored ? null : await evaluate<string>(session, WHY_NOT)).toBeNull();
}
