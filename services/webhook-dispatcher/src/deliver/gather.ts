const GATHER_MS = 8;
const BATCH_SIZE = 200;

interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Has what comes in the same moment written together, one batch at a time. What it returns resolves when the batch of its item
 * is written, and rejects as `write` does.
 */
export function createGatherer<T>(
  write: (batch: readonly T[]) => Promise<unknown>,
): (item: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function beginSoon(): void {
    if (waiting.length >= BATCH_SIZE) begin();
    else if (waiting.length > 0) timer ??= setTimeout(begin, GATHER_MS);
  }

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writing || waiting.length === 0) return;
    writing = writeBatch().then(() => {
      writing = undefined;
      beginSoon();
    });
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, BATCH_SIZE);
    waiting = waiting.slice(BATCH_SIZE);
    try {
      await write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing) beginSoon();
    });
}
