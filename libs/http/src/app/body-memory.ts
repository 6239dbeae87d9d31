import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';

const MIB = 1024 * 1024;
/** Bodies up to this size are neither counted nor do they wait. */
const LARGE_BYTES = MIB / 16;
/** At most this much of all large bodies is in memory. */
const MAX_HELD_BYTES = 128 * MIB;
/**
 * Large bodies are handled together up to this size: a parsed body takes several times its size.
 */
const MAX_HANDLED_BYTES = 8 * MIB;
/** A handler that takes longer waits for something else, such as a decision, and uses no memory. */
const HANDLED_MS = 2_000;

/**
 * Reads the body of a request and handles it. Large bodies wait for their turn.
 * @throws AppError like `readBody`, `UNAVAILABLE` where too many large bodies are in memory
 */
export type WithBody = <T>(request: IncomingMessage, handle: (rawBody: Buffer) => Promise<T>) => Promise<T>;

/** Limits the memory that large bodies take, so that a burst of them doesn't end the process. */
export function createWithBody(): WithBody {
  const waiting: { bytes: number; start: () => void }[] = [];
  let held = 0;
  let handled = 0;

  function startNext(): void {
    for (;;) {
      const [next] = waiting;
      if (!next || (handled > 0 && handled + next.bytes > MAX_HANDLED_BYTES)) return;
      waiting.shift();
      handled += next.bytes;
      next.start();
    }
  }

  async function inTurn<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      startNext();
    });
    let isCounted = true;
    const release = () => {
      if (isCounted) handled -= bytes;
      isCounted = false;
      startNext();
    };
    const timer = setTimeout(release, HANDLED_MS).unref();
    return work().finally(() => {
      clearTimeout(timer);
      release();
    });
  }

  return async (request, handle) => {
    let own = 0;
    const onRead = (bytes: number) => {
      if (bytes <= LARGE_BYTES) return;
      held += bytes - own;
      own = bytes;
      if (held > MAX_HELD_BYTES) throw tooMuch();
    };
    try {
      const rawBody = await readBody(request, onRead);
      return await (own === 0 ? handle(rawBody) : inTurn(own, () => handle(rawBody)));
    } finally {
      held -= own;
    }
  };
}

function tooMuch(): AppError {
  return new AppError('UNAVAILABLE', 'Too many large requests at once. Try again in a moment.', {
    headers: { 'Retry-After': '5' },
  });
}
