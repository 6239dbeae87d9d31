import type { TaskRecord } from '@svcforms/records';

const MAX_ENTRIES = 500;

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
