import type { AppError } from '@svcforms/contracts';
import { isDuplicateKey } from '@svcforms/document-store';

interface Slots<T> {
  /** The id of what has the slots, such as an account. */
  owner: string;
  max: number;
  /** Reads the slots of the other documents; undefined for one that an older version stored. */
  others: () => Promise<readonly (string | undefined)[]>;
  full: () => AppError;
  /** @throws StoreError `DUPLICATE_KEY` if the slot is taken */
  insert: (slot: string) => Promise<T>;
}

/**
 * Inserts a document in one of the slots of its owner, `<owner>|<number>`. Slots have a unique key,
 * because a count before an insert can be outdated after it.
 * @throws AppError `full` when no slot is free
 */
export async function insertInSlot<T>({ owner, max, others, full, insert }: Slots<T>): Promise<T> {
  for (;;) {
    const slots = await others();
    const taken = new Set(slots);
    const withoutSlot = slots.filter((slot) => slot === undefined).length;
    const all = Array.from({ length: max - withoutSlot }, (_, n) => `${owner}|${n}`);
    const free = all.filter((slot) => !taken.has(slot));
    // A random slot, so that concurrent requests rarely collide.
    const slot = slots.length < max ? free[Math.floor(Math.random() * free.length)] : undefined;
    if (slot === undefined) throw full();
    try {
      return await insert(slot);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
