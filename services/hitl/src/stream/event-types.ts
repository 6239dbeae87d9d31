import { AppError, EVENT_TYPES, type EventType } from '@svcforms/contracts';

/**
 * Reads the event types in a stream's path: `a`, `a,b`, `*`, or `a.*` for all types that begin with
 * `a.`.
 * @throws AppError `UNKNOWN_EVENT_TYPE`
 */
export function readEventTypes(path: string): ReadonlySet<EventType> {
  return new Set(path.split(',').flatMap((part) => typesOf(part.trim())));
}

function typesOf(name: string): readonly EventType[] {
  if (name === '*') return EVENT_TYPES;
  const found = name.endsWith('.*')
    ? EVENT_TYPES.filter((known) => known.startsWith(name.slice(0, -1)))
    : EVENT_TYPES.filter((known) => known === name);
  if (found.length > 0) return found;
  const known = [...EVENT_TYPES, '*', 'hitl.task.*'];
  throw new AppError(
    'UNKNOWN_EVENT_TYPE',
    `"${name}" is not an event type; use one of ${known.join(', ')}, another prefix of them with .*, or several separated by commas`,
    { members: { eventTypes: known } },
  );
}
