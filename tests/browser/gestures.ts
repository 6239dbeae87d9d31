import type { Page } from 'playwright-core';
import type { Visit } from './fixture.ts';

/** The parts of a visit that gestures use: the page and its clock. */
type Visited = Pick<Visit, 'page' | 'pass'>;

/** The default delay before a departure counts. */
const LEAVE_MS = 1000;

/** Moves the cursor out of the page through its top edge. */
export async function moveOutOfTop(page: Page, { fromY = 5 }: { fromY?: number } = {}): Promise<void> {
  await page.mouse.move(400, 300);
  await page.mouse.move(400, fromY);
  await page.mouse.move(400, -10);
}

/** Moves the cursor out and waits until the departure counts. */
export async function leaveByTop({ page, pass }: Visited): Promise<void> {
  await moveOutOfTop(page);
  await pass(LEAVE_MS);
}

/** Turns the wheel by `by` pixels at a time, `everyMs` apart. */
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

/** Lets the browser paint and report scrolling, even while the clock of the page is paused. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => void Object.assign(window, { frames_drawn: 0 }));
  await page.waitForFunction(() => ++(window as never as { frames_drawn: number }).frames_drawn > 3);
}

/** Scrolls the page to a position with the wheel. */
export async function scrollDownTo({ page }: Visited, y: number): Promise<void> {
  await page.mouse.move(400, 300);
  const from = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, y - from);
  await page.waitForFunction((to) => Math.abs(scrollY - to) < 2, y);
  await nextFrames(page);
}

/** Moves the focus to another window. */
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
 * Moves the tab into the background. A headless browser shows all of its tabs at once, so the
 * visibility state is overridden and the event of the browser is dispatched; everything after that
 * is real.
 */
export async function hideTab(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

/** Runs in a page that loads in a background tab or is prerendered: it's hidden from the start. */
export const BEHIND = `Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`;

/** Shows a page that was {@link BEHIND}. */
export async function showTab(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

export async function showIntent(page: Page, level?: string, name = 'svc:intent'): Promise<void> {
  await page.evaluate(
    ([event, detail]) => document.dispatchEvent(new CustomEvent(event, { detail, bubbles: true })),
    [name, level === undefined ? undefined : { level }] as const,
  );
}
