import type { Popup } from '@svcforms/contracts';
import type { Fixture, Visit, VisitOptions } from './fixture.ts';

/** A popup that opens as soon as the test lets a moment pass. */
export const SOON = { trigger: 'delay', delayMs: 100 } as const satisfies Popup;

/** Lets the moment of {@link SOON} pass. */
export async function openSoon(visit: Visit): Promise<void> {
  await visit.pass(2 * SOON.delayMs);
  await visit.expectOpen();
}

/** A visit with its modal open. */
export async function openedVisit(fixture: Fixture, options: VisitOptions = {}): Promise<Visit> {
  const visit = await fixture.visit({ popup: SOON, ...options });
  await openSoon(visit);
  return visit;
}

/** Fills in the one field that forms have unless they say otherwise, and submits. */
export async function submitEmail({ page }: Visit): Promise<void> {
  await page.fill('svc-form input[type=email]', 'ada@example.com');
  await page.click('.primary');
  await page.waitForSelector('.done');
}

/** A passive close. */
export async function pressEscape(visit: Visit): Promise<void> {
  await visit.page.keyboard.press('Escape');
  await visit.expectClosed();
}
