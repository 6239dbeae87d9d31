import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * So much more of a body that is too large is read and thrown away before it is answered: many clients read no answer before
 * they have sent everything, and what is still on its way when a connection closes takes the answer with it.
 */
const DRAIN_BYTES = 8 * 1024 * 1024;

/**
 * The whole body, at most 1 MiB. By events, because reading through the stream's iterator costs more than all the rest of a
 * small request's way to its handler.
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` (a content encoding), `INVALID_BODY` (ended early).
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body without content encoding (it came as ${encoding})`,
    );
  }
  const { chunks, size } = await readChunks(request);
  if (size > MAX_BODY_BYTES) {
    discardRest(request);
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** All chunks of a body that isn't too large, and how many bytes came. */
function readChunks(request: IncomingMessage): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (size > MAX_BODY_BYTES + DRAIN_BYTES) onEnd();
    };
    const onEnd = () => {
      letGo();
      resolve({ chunks, size });
    };
    const onBroken = (cause?: Error) => {
      letGo();
      const message = 'The connection ended before the body was complete';
      reject(new AppError('INVALID_BODY', message, cause ? { cause } : {}));
    };
    const letGo = () => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    if (request.destroyed) return onBroken();
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** For clients that do read meanwhile. One that goes on and on is cut off. */
function discardRest(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
