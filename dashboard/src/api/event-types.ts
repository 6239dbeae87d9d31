import type { EventTypeOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

/** The event catalog. It only changes with a new version of the product. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: ({ signal }) => request<EventTypeOut[]>('GET', '/api/event-types', { signal }),
  staleTime: Infinity,
});
