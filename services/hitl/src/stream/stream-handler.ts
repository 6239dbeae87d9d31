import type { StreamQuery } from '@svcforms/contracts';
import { readPosition, type EventBus } from '@svcforms/event-bus';
import type { Reply, PathRequest } from '@svcforms/http';
import { currentPosition } from './current-position.ts';
import { readEventTypes } from './event-types.ts';
import type { Streams } from './streams.ts';

/**
 * For all event streams: caches must not store them, and proxies must not buffer them to compress
 * them.
 */
export const STREAM_CACHE_CONTROL = 'no-store, no-cache, no-transform';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': STREAM_CACHE_CONTROL,
  'X-Accel-Buffering': 'no',
} as const;

export interface StreamHandlerDeps {
  streams: Pick<Streams, 'reserve'>;
  bus: Pick<EventBus, 'position'>;
}

/** Opens an event stream. docs/reference/events.md#event-stream */
export function createStreamHandler({ streams, bus }: StreamHandlerDeps) {
  async function endOfLog() {
    // Without it, the stream waits for the bus itself.
    const position = await currentPosition(bus).catch(() => '');
    return readPosition(position);
  }

  return async ({
    params,
    query,
    headers,
    caller,
    note,
  }: PathRequest<'eventType', StreamQuery>): Promise<Reply> => {
    const types = readEventTypes(params.eventType);
    const reservation = await streams.reserve(caller);
    // A reader that reconnects sends the header, which is newer than the id in its URL.
    const lastEventId = headers['last-event-id']?.toString() || query.lastEventId || undefined;
    const openedAt = lastEventId === undefined ? await endOfLog() : null;
    const format = query.format ?? 'event';
    note({ event: 'stream.opened', types: params.eventType, lastEventId });
    return {
      connect({ request, response }) {
        response.writeHead(200, HEADERS);
        if (request.method === 'HEAD') {
          reservation.cancel();
          response.end();
          return;
        }
        reservation.open({ caller, types, format, lastEventId, openedAt }, response);
      },
    };
  };
}
