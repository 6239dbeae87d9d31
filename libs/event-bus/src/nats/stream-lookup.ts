import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { pause } from '@svcforms/primitives';
import { createStream, findStream, type StreamSize } from './stream.ts';

/**
 * A server reports a stream as deleted before it has removed the files. A stream of the same name
 * that is created right away can have the old messages, or lose its own files (seen with 2.15).
 */
const REMOVAL_PAUSE_MS = 1_000;

interface LookupOptions {
  /** Applies to a stream that the lookup creates. */
  size: StreamSize;
  /** Whether the stream existed until now, so that the server may still be removing its files. */
  existed: () => boolean;
}

/** Returns a function that reads the stream's state and creates the stream if it is absent. */
export function createStreamLookup(
  jsm: JetStreamManager,
  { size, existed }: LookupOptions,
): () => Promise<StreamInfo> {
  /** Concurrent calls share one creation. */
  let creating: Promise<StreamInfo> | undefined;

  async function create(): Promise<StreamInfo> {
    if (existed()) await pause(REMOVAL_PAUSE_MS);
    return createStream(jsm, size);
  }

  return async () => {
    const info = await findStream(jsm);
    if (info) return info;
    creating ??= create().finally(() => (creating = undefined));
    return creating;
  };
}
