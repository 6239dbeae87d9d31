import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { NotificationAddress, QueryOf, RequestOptions } from '../types.ts';

/**
 * `client.notificationAddresses`: recipients of emails about new submissions. Scopes: `forms:read`,
 * `forms:write`.
 *
 * The server sends a verification email when a form first uses an address. An address that belongs
 * to no user of the account receives notifications after its owner confirms that email.
 */
export class NotificationAddresses {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the addresses that the account's forms have used, newest first. */
  list(query?: QueryOf<'listNotificationAddresses'>, options?: RequestOptions): Pager<NotificationAddress> {
    return new Pager(this.#transport, api.get('/api/notification-addresses', query, options));
  }

  /**
   * Sends another verification email: at most one per hour, three per day and six in 30 days.
   * @throws ConflictError if the address is already verified.
   * @throws RateLimitError if the limit is reached.
   */
  async verify(addressId: string, options?: RequestOptions): Promise<NotificationAddress> {
    const path = api.path('/api/notification-addresses/{}/verification', addressId);
    return readData(await this.#transport.send(api.act(path, undefined, options)));
  }
}
