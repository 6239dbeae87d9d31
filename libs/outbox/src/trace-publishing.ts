import type { Span, Tracing } from '@svcforms/primitives';
import type { PendingEvent } from './pending.ts';

/** The name of the event log in spans. */
const DESTINATION = 'events';

/**
 * Publishes events within a span for each trace that they belong to, and hands them to `publish`
 * with that span as their trace. Events without a trace begin one.
 */
export async function tracePublishing<R>(
  tracing: Tracing | undefined,
  events: readonly PendingEvent[],
  publish: (traced: readonly PendingEvent[]) => Promise<R>,
): Promise<R> {
  if (!tracing || events.length === 0) return publish(events);
  const spans = new Map<string | undefined, Span>();
  const traced = events.map((event) => {
    const key = event.trace?.traceparent;
    const span =
      spans.get(key) ??
      tracing.startSpan(`publish ${DESTINATION}`, { kind: 'producer', parent: event.trace });
    spans.set(key, span);
    return span.context === event.trace ? event : { ...event, trace: span.context };
  });
  const recorded = [...spans].filter(([, { isRecording }]) => isRecording);
  if (recorded.length === 0) return publish(traced);
  const end = (error?: unknown) => {
    for (const [key, span] of recorded) {
      const own = events.filter(({ trace }) => trace?.traceparent === key);
      span.end({ attributes: attributesOf(own), error: errorType(error) });
    }
  };
  try {
    const result = await publish(traced);
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

function attributesOf(events: readonly PendingEvent[]) {
  const [first] = events;
  return {
    'messaging.operation.name': 'publish',
    'messaging.operation.type': 'send',
    'messaging.destination.name': DESTINATION,
    ...(events.length === 1
      ? { 'messaging.message.id': first?.id }
      : { 'messaging.batch.message_count': events.length }),
    'svcforms.event.type': events.map(({ type }) => type).join(','),
  };
}

/** The code or the name of an error; never its message. */
function errorType(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name, 'error'].find((each) => typeof each === 'string') as string;
}
