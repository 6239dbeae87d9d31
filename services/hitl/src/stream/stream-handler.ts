import type { StreamQuery } from '@svcforms/contracts';
import { readPosition, type EventBus } from '@svcforms/event-bus';
import type { Reply, RouteRequest } from '@svcforms/http';
import { setTimeout as delay } from 'node:timers/promises';
import { readEventTypes } from './event-types.ts';
import type { Streams } from './streams.ts';

/** Of every stream of events: no cache keeps it, nor holds it back to compress it. */
export const STREAM_CACHE_CONTROL = 'no-store, no-cache, no-transform';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': STREAM_CACHE_CONTROL,
  'X-Accel-Buffering': 'no',
} as const;
/** A bus that takes longer to say where it is has the reader wait inside of its stream. */
const POSITION_WITHIN_MS = 1_000;

export interface StreamHandlerDeps {
  streams: Pick<Streams, 'reserve'>;
  bus: Pick<EventBus, 'position'>;
}

/** GET /api/mcp/events/{eventType}. spec: webhooks-tasks-inbound, Endpoints; contract: tasks.md, Stream */
export function createStreamHandler({ streams, bus }: StreamHandlerDeps) {
  async function whereItIs() {
    const limit = new AbortController();
    const position = bus.position().catch(() => '');
    const tooLate = delay(POSITION_WITHIN_MS, '', { signal: limit.signal }).catch(() => '');
    const first = await Promise.race([position, tooLate]);
    limit.abort();
    return readPosition(first);
  }

  return async ({ params, query, headers, caller, note }: RouteRequest<StreamQuery>): Promise<Reply> => {
    const types = readEventTypes(params['eventType'] ?? '');
    const reserved = streams.reserve(caller);
    // The header is of a reader that has come again, and knows better than the address that it was given.
    const lastEventId = headers['last-event-id']?.toString() || query.lastEventId || undefined;
    const openedAt = lastEventId === undefined ? await whereItIs() : null;
    note({ event: 'stream.opened', types: params['eventType'], lastEventId });
    return {
      connect({ request, response }) {
        response.writeHead(200, HEADERS);
        if (request.method === 'HEAD') {
          reserved.giveUp();
          response.end();
          return;
        }
        reserved.open({ caller, types, lastEventId, openedAt }, response);
      },
    };
  };
}
