export { createOutbox } from './outbox.ts';
export type { Outbox } from './outbox.ts';
export type { InsertWithEvents, OutboxDeps } from './outbox-deps.ts';
export { PENDING_INDEX, pendingEvents } from './pending.ts';
export type { PendingEvent, WithPendingEvents } from './pending.ts';
