import { EVENT_CATALOG, samples } from '../webhooks/event-catalog.ts';
import { EVENT_TYPES, type EventType } from '../webhooks/events.ts';
import { WEBHOOK_HEADERS } from './headers.ts';
import type { createJsonSchemas, Json, JsonObject } from './json-schemas.ts';

/**
 * The name of a component for a header of a webhook; `Svc-Hops` is a header of requests to us, too.
 */
const componentOf = (name: string) => `Webhook.${name}`;

/** The parameters of the document that describe the headers of webhooks. */
export function webhookHeaderParameters(): JsonObject {
  const parameters = Object.entries(WEBHOOK_HEADERS).map(([name, header]) => [
    componentOf(name),
    { name, in: 'header', ...header },
  ]);
  return Object.fromEntries(parameters) as JsonObject;
}

/** The `webhooks` of the document: each event type with its payload. */
export function webhookOperations(schemas: ReturnType<typeof createJsonSchemas>): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOperation(type, schemas) }]));
}

function webhookOperation(type: EventType, schemas: ReturnType<typeof createJsonSchemas>): JsonObject {
  const { description, operationId, payload } = EVENT_CATALOG[type];
  const { full, minimal } = samples(type);
  return {
    operationId,
    tags: ['Webhooks'],
    summary: type,
    description: `${description} The body is that of the payload format \`envelope\`.`,
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({
      $ref: `#/components/parameters/${componentOf(name)}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.of(payload, 'output'),
          examples: {
            full: { summary: 'With every property', value: full as Json },
            minimal: { summary: 'With the properties that are always present', value: minimal as Json },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. The body is ignored.' },
      '410': { description: 'The endpoint no longer exists: the webhook is disabled.' },
      default: { description: 'Not received: the delivery is retried.' },
    },
  };
}
