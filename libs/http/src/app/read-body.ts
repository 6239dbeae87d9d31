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
 * Reads the whole body, at most 1 MiB. It uses events, because the stream's async iterator costs
 * more than everything else that happens to a small request before its handler.
 * @param onRead receives how much has been read. What it throws ends the request; the rest of the
 * body is discarded.
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` (a content encoding),
 * `INVALID_BODY` (ended early).
 */
export async function readBody(request: IncomingMessage, onRead: (bytes: number) => void): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body without content encoding, not as ${encoding}`,
    );
  }
  const { chunks, size } = await readChunks(request, onRead);
  if (size > MAX_BODY_BYTES) {
    discardRest(request);
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** Reads the chunks of a body, unless it is too large, and its size in bytes. */
function readChunks(
  request: IncomingMessage,
  onRead: (bytes: number) => void,
): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) keep(chunk);
      else if (size > MAX_BODY_BYTES + DRAIN_BYTES) onEnd();
    };
    const keep = (chunk: Buffer) => {
      try {
        onRead(size);
        chunks.push(chunk);
      } catch (error) {
        removeListeners();
        discardRest(request);
        reject(error as Error);
      }
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
