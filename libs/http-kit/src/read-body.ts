import { AppError } from '@svcforms/contracts';
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1024 * 1024;
/** So much of a body that is too large is read and thrown away, so that the client gets to read the answer. */
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
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (size > DRAIN_BYTES) break;
    }
  } catch (error) {
    throw new AppError('INVALID_BODY', 'The connection ended before the body was complete', { cause: error });
  }
  if (size > MAX_BODY_BYTES) {
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes`, {
      headers: { connection: 'close' },
    });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}
