import type { EventBus } from '@svcforms/event-bus';
import { withTimeout } from '@svcforms/primitives';

/** Neither a task nor a stream waits longer for the bus: both do without the position. */
const TIMEOUT_MS = 1_000;

/** Returns the current position of the event log. Rejects when the bus is unavailable or slow. */
export const currentPosition = (bus: Pick<EventBus, 'position'>): Promise<string> =>
  withTimeout(bus.position(), TIMEOUT_MS);
