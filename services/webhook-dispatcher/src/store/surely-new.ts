import type { DeliveredMessage } from '@svcforms/event-bus';

/**
 * An older event may have been published twice: the outbox relay publishes events again after 5 s.
 */
const YOUNG_MS = 3_000;

/**
 * Whether no consumer can have handled the event before, so that the store has nothing that follows
 * from it.
 */
export function isSurelyNew({ event, isNew }: DeliveredMessage, now: number): boolean {
  return isNew && Math.abs(now - Date.parse(event.timestamp)) < YOUNG_MS;
}
