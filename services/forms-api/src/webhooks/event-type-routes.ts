import { EventTypesOut, eventTypesOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';

/** The event catalog. docs/reference/webhooks.md#event-catalog */
export function eventTypeRoutes(): Route[] {
  const data = eventTypesOut();
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/event-types', summary: 'List the event types', operationId: 'listEventTypes', access: 'authenticated',
      description: 'Every event with an example, the JSON Schema and the version of its payload.',
      status: 200, response: EventTypesOut, handler: async () => ({ data }) }),
  ];
}
