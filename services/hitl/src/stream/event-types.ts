import { AppError, EVENT_TYPES, TASK_EVENT_TYPES, type EventType } from '@svcforms/contracts';

const GROUPS: Readonly<Record<string, readonly EventType[]>> = {
  '*': EVENT_TYPES,
  'hitl.task.*': TASK_EVENT_TYPES,
};

/**
 * Reads the event types in a stream's path: `a`, `a,b`, `hitl.task.*`, `*`.
 * @throws AppError `UNKNOWN_EVENT_TYPE`
 */
export function readEventTypes(path: string): ReadonlySet<EventType> {
  const types = path.split(',').map((part) => part.trim());
  return new Set(
    types.flatMap((type) => (Object.hasOwn(GROUPS, type) ? (GROUPS[type] ?? []) : readEventType(type))),
  );
}

function readEventType(name: string): EventType {
  const type = EVENT_TYPES.find((known) => known === name);
  if (type) return type;
  const known = [...EVENT_TYPES, ...Object.keys(GROUPS)];
  throw new AppError(
    'UNKNOWN_EVENT_TYPE',
    `"${name}" is not an event type; use one of ${known.join(', ')}, or several separated by commas`,
    { members: { eventTypes: known } },
  );
}
