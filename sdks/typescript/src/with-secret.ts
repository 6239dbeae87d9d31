import * as api from './http/request.ts';
import { readData } from './http/responses.ts';
import type { Transport } from './http/transport.ts';
import { checkMayGenerate, concealed, newSecret } from './secrets.ts';
import type { CreateOptions } from './types.ts';

/**
 * Sends a request whose result contains a signing secret. The server returns a secret once, and
 * null to a retried request, so the client chooses the secret.
 * @throws TypeError if the caller chose the idempotency key, but not the secret.
 */
export async function withSecret<T extends { secret: string }>(
  transport: Transport,
  path: string,
  body: { secret?: string | null },
  options?: CreateOptions,
): Promise<T> {
  if (!body.secret) checkMayGenerate(options);
  const secret = body.secret || newSecret();
  const response = await transport.send(api.create(path, { ...body, secret }, options));
  return concealed({ ...readData<T>(response), secret }, 'secret');
}
