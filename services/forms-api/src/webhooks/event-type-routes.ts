import { EventTypesOut, eventTypesOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';

/** The event catalog. docs/reference/webhooks.md#event-catalog */
export function eventTypeRoutes(): Route[] {
  // Composed on the first request: each schema and example takes time that a start would wait for.
  let data: ReturnType<typeof eventTypesOut> | undefined;
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/event-types', summary: 'List the event types', operationId: 'listEventTypes', access: 'authenticated',
      description: 'Every event with an example, the JSON Schema and the version of its payload.',
      status: 200, response: EventTypesOut, handler: async () => ({ data: (data ??= eventTypesOut()) }) }),
  ];
}
