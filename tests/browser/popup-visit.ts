import type { Popup } from '@svcforms/contracts';
import type { Fixture, Visit, VisitOptions } from './fixture.ts';

/** A popup that opens as soon as the test advances the clock. */
export const SOON = { trigger: 'delay', delayMs: 100 } as const satisfies Popup;

/** Advances the clock past {@link SOON}. */
export async function openSoon(visit: Visit): Promise<void> {
  await visit.pass(2 * SOON.delayMs);
  await visit.expectOpen();
}

/** A visit with an open modal. */
export async function openedVisit(fixture: Fixture, options: VisitOptions = {}): Promise<Visit> {
  const visit = await fixture.visit({ popup: SOON, ...options });
  await openSoon(visit);
  return visit;
}

/** Fills in the default field of forms and submits it. */
export async function submitEmail({ page }: Visit): Promise<void> {
  await page.fill('svc-form input[type=email]', 'ada@example.com');
  await page.click('.primary');
  await page.waitForSelector('.done');
}

/** Closes the modal without declining. */
export async function pressEscape(visit: Visit): Promise<void> {
  await visit.page.keyboard.press('Escape');
  await visit.expectClosed();
}
