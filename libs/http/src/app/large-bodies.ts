import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';

const MIB = 1024 * 1024;
/** Bodies up to this size aren't counted and don't wait. */
const LARGE_BYTES = MIB / 16;
/** The limit of all large bodies that have arrived, until their requests end. */
const MAX_KEPT_BYTES = 128 * MIB;
/**
 * The total size of large bodies that are handled at the same time: a parsed body takes several
 * times its size.
 */
const MAX_HANDLED_BYTES = 8 * MIB;
/** A handler that takes longer waits for something else, such as a decision: others may run. */
const HANDLED_MS = 2_000;

/**
 * Reads the body of a request and handles it. Large bodies wait for a permit.
 * @throws AppError like `readBody`, `UNAVAILABLE` where too many large bodies wait
 */
export type WithBody = <T>(request: IncomingMessage, handle: (rawBody: Buffer) => Promise<T>) => Promise<T>;

/**
 * Limits the memory that large bodies take, so that a burst of them doesn't end the process.
 * ADR 0098
 */
export function createWithBody(): WithBody {
  const waiting: { bytes: number; start: () => void }[] = [];
  let kept = 0;
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

  async function withPermit<T>(bytes: number, work: () => Promise<T>): Promise<T> {
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
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  return async (request, handle) => {
    const rawBody = await readBody(request);
    const bytes = rawBody.length;
    if (bytes <= LARGE_BYTES) return handle(rawBody);
    // Not while they arrive: clients that send slowly would shut out others.
    if (kept + bytes > MAX_KEPT_BYTES) throw tooMuch();
    kept += bytes;
    try {
      return await withPermit(bytes, () => handle(rawBody));
    } finally {
      kept -= bytes;
    }
  };
}

function tooMuch(): AppError {
  return new AppError('UNAVAILABLE', 'Too many large requests at once. Try again in a moment.', {
    headers: { 'Retry-After': '5' },
  });
}
