import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * So much more of a body that is too large is read and thrown away before it is answered: many clients read no answer before
 * they have sent everything, and what is still on its way when a connection closes takes the answer with it.
 */
const DRAIN_BYTES = 8 * 1024 * 1024;

/**
 * The whole body, at most 1 MiB.
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
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not cut the connection: the answer is still to be sent over it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      if (size > MAX_BODY_BYTES + DRAIN_BYTES) break;
    }
  } catch (error) {
    throw new AppError('INVALID_BODY', 'The connection ended before the body was complete', { cause: error });
  }
  if (size > MAX_BODY_BYTES) {
    discardRest(request);
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** For clients that do read meanwhile. One that goes on and on is cut off. */
function discardRest(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
