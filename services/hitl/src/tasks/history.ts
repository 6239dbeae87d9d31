import type { TaskRecord } from '@svcforms/records';

const MAX_ENTRIES = 500;
/** With this many entries, a task gets no more of those that can be repeated. */
const MAX_REPEATED = 200;

/** Returns the `$push` of entries to a task's history. */
export function historyEntry(...entries: { [key: string]: string | number | undefined }[]): {
  $each: TaskRecord['history'];
  $slice: number;
} {
  const present = entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
  );
  return { $each: present as TaskRecord['history'], $slice: -MAX_ENTRIES };
}

/**
 * Returns the `$push` of an entry that a caller can repeat at will: a claim, a release, a callback.
 * A task with many entries gets none, or such entries would replace those of its votes and
 * decision.
 */
export const repeatableEntry = (
  { history }: Pick<TaskRecord, 'history'>,
  entry: Parameters<typeof historyEntry>[0],
): ReturnType<typeof historyEntry> => historyEntry(...(history.length < MAX_REPEATED ? [entry] : []));
