import type { Json } from '@svcforms/document-store';

const MAX_ENTRIES = 500;

/** Returns the `$push` of one entry to a task's history. */
export function historyEntry(entry: { [key: string]: string | number | undefined }): {
  $each: Json[];
  $slice: number;
} {
  const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  return { $each: [present], $slice: -MAX_ENTRIES };
}
