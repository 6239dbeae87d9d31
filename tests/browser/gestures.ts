import type { Page } from 'playwright-core';
import type { Visit } from './fixture.ts';

/** What gestures need: a page, and its clock. */
type Visited = Pick<Visit, 'page' | 'pass'>;

/** How long a departure takes to be believed, unless the form says otherwise. */
const LEAVE_MS = 1000;

/** The cursor goes from the page over its upper edge. */
export async function moveOutOfTop(page: Page, { fromY = 5 }: { fromY?: number } = {}): Promise<void> {
  await page.mouse.move(400, 300);
  await page.mouse.move(400, fromY);
  await page.mouse.move(400, -10);
}

/** … and stays there until it is believed. */
export async function leaveByTop({ page, pass }: Visited): Promise<void> {
  await moveOutOfTop(page);
  await pass(LEAVE_MS);
}

/** Wheel turns of `by` pixels each, `everyMs` apart. */
export async function turnWheel(
  { page, pass }: Visited,
  { times, by, everyMs }: { times: number; by: number; everyMs: number },
): Promise<void> {
  await page.mouse.move(400, 300);
  for (let i = 0; i < times; i++) {
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, by);
    await page.waitForFunction((y) => scrollY !== y || scrollY === 0, before);
    await nextFrames(page);
    await pass(everyMs);
  }
}

/** Lets the browser draw, and tell of what has moved. The clock of the page may stand still meanwhile. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => void Object.assign(window, { frames_drawn: 0 }));
  await page.waitForFunction(() => ++(window as never as { frames_drawn: number }).frames_drawn > 3);
}

/** Scrolls the page to so many pixels, by a wheel. */
export async function scrollDownTo({ page }: Visited, y: number): Promise<void> {
  await page.mouse.move(400, 300);
  const from = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, y - from);
  await page.waitForFunction((to) => Math.abs(scrollY - to) < 2, y);
  await nextFrames(page);
}

/** The window loses the focus to another one. */
export async function goToAnotherWindow({ page, context, pass }: Visit): Promise<void> {
  await page.bringToFront();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const isBlurred = page.evaluate(
    () => new Promise<void>((resolve) => addEventListener('blur', () => resolve(), { once: true })),
  );
  const other = await context.newPage();
  await other.bringToFront();
  await isBlurred;
  await pass(10);
}

/**
 * The tab goes into the background. A headless browser shows all of its tabs at once, so what the page would find is set, and
 * the browser's event sent; everything from there on is real.
 */
export async function hideTab(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

export async function showIntent(page: Page, level?: string, name = 'svc:intent'): Promise<void> {
  await page.evaluate(
    ([event, detail]) => document.dispatchEvent(new CustomEvent(event, { detail, bubbles: true })),
    [name, level === undefined ? undefined : { level }] as const,
  );
}
