export { ID_PREFIXES, isId, newId } from './ids.ts';
export type { IdPrefix } from './ids.ts';
export { MAX_BUS_BODY_BYTES, WEBHOOK_EVENT_TYPES } from './events.ts';
export type { BusEvent, WebhookEventType } from './events.ts';
