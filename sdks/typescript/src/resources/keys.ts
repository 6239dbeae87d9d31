import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import { concealed } from '../secrets.ts';
import type { ApiKey, ApiKeyCreated, ApiKeyInput, QueryOf, RequestOptions } from '../types.ts';

/** `client.keys`: API keys. Scope: `keys:manage`. */
export class Keys {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates an API key with at most the scopes of the client's own key. Without `tasks:decide`, an
   * agent can't decide its own tasks. Only this result contains the `key`.
   */
  async create(key: ApiKeyInput, options: RequestOptions = {}): Promise<ApiKeyCreated> {
    for (;;) {
      // Each request needs a key of its own: with the caller's, a second call would get the first
      // one's response.
      const request = api.create('/api/keys', key, { ...options, idempotencyKey: undefined });
      const response = await this.#transport.send(request);
      const created = readData<ApiKey & { key?: string | null }>(response);
      if (typeof created.key === 'string') return concealed(created as ApiKeyCreated, 'key');
      // The first response was lost together with the key. Nobody can use that key, so delete it.
      await this.delete(created.id, options);
    }
  }

  /** Lists the keys of the account, newest first. */
  list(query?: QueryOf<'listKeys'>, options?: RequestOptions): Pager<ApiKey> {
    return new Pager(this.#transport, api.get('/api/keys', query, options));
  }

  /** Deletes a key. The server closes the key's event streams within seconds. */
  async delete(keyId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(api.path('/api/keys/{}', keyId), options));
  }
}
