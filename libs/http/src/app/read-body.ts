import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * How much more of a body that is too large is read and discarded before the response: many clients
 * read no response before they have sent everything, and closing a connection with unread data
 * discards the response.
 */
const DRAIN_BYTES = 16 * 1024 * 1024;
/**
 * After this many chunks, they become one. Clients choose their number, and a chunk takes memory of
 * its own: one of a byte about 200 bytes.
 */
const MAX_CHUNKS = 1024;

/**
 * Reads the whole body, at most 1 MiB. It uses events, because the stream's async iterator costs
 * more than everything else that happens to a small request before its handler.
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` (a content encoding),
 * `INVALID_BODY` (ended early).
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body without content encoding, not as ${encoding}`,
    );
  }
  const { chunks, size } = await readChunks(request);
  if (size > MAX_BODY_BYTES) {
    discardRest(request);
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** Reads the chunks of a body, unless it is too large, and its size in bytes. */
function readChunks(request: IncomingMessage): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [size, joined] = [0, 0];
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return keep(chunk);
      chunks.length = 0;
      if (size > MAX_BODY_BYTES + DRAIN_BYTES) onEnd();
    };
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.length - joined === MAX_CHUNKS) chunks.push(Buffer.concat(chunks.splice(joined++)));
    };
    const onEnd = () => {
      removeListeners();
      resolve({ chunks, size });
    };
    const onClose = (cause?: Error) => {
      removeListeners();
      const message = 'The connection ended before the body was complete';
      reject(new AppError('INVALID_BODY', message, cause ? { cause } : {}));
    };
    const removeListeners = () => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    };
    if (request.destroyed) return onClose();
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}

/** For clients that read the response while they send. Clients that don't stop are disconnected. */
function discardRest(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
