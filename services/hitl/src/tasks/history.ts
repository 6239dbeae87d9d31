import type { TaskRecord } from '@svcforms/records';

const MAX_ENTRIES = 500;

/** Returns the `$push` of one entry to a task's history. */
export function historyEntry(entry: { [key: string]: string | number | undefined }): {
  $each: TaskRecord['history'];
  $slice: number;
} {
  const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  return { $each: [present as TaskRecord['history'][number]], $slice: -MAX_ENTRIES };
}
