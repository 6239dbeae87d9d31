import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { Erasure, RequestOptions } from '../types.ts';

/**
 * `client.erasures`: erasure of a person's data. Scopes: `submissions:write` and `tasks:manage`,
 * both.
 */
export class Erasures {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Erases the submissions, tasks and deliveries that contain an exact field value, such as an
   * email address. The comparison is case-sensitive.
   *
   * The API doesn't return the data anymore when this method returns. The server erases it from the
   * event log, emails and files within a minute. The server doesn't store the report, so the client
   * doesn't retry this request when its response is lost. A second request erases and reports the
   * remaining data.
   */
  async create(value: string, options?: RequestOptions): Promise<Erasure> {
    return readData(await this.#transport.send(api.act('/api/erasures', { value }, options)));
  }
}
