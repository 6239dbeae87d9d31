/** An error for each document that wasn't inserted. */
type InsertGroup<T> = (docs: readonly T[]) => Promise<readonly (Error | null)[]>;

interface PendingInsert<T> {
  doc: T;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Gathers single inserts: those of the same moment, and those that come while a group is on its way, go as one. Each
 * caller gets the outcome of its own document.
 */
export function createInsertBatcher<T>(
  insertGroup: InsertGroup<T>,
  maxGroup: number,
): (doc: T) => Promise<void> {
  let waiting: PendingInsert<T>[] = [];
  let running = false;

  async function run(): Promise<void> {
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      const errors = await insertGroup(group.map(({ doc }) => doc)).catch((error: Error) =>
        group.map(() => error),
      );
      group.forEach(({ resolve, reject }, index) => {
        const error = errors[index];
        if (error) reject(error);
        else resolve();
      });
    }
    running = false;
  }

  return (doc) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ doc, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
