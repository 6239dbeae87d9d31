import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { CreateOptions, RedeemedReceipt } from '../types.ts';

/** `client.receipts`: receipts of approved actions. Scope: `tasks:create`. */
export class Receipts {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Redeems the receipt of an approved task. Run the action only after this method returns.
   *
   * @param receipt `receipt` of the approved task
   * @param args the arguments that are about to run; they must equal those of the task's `action`
   * @throws ConflictError 409 RECEIPT_REDEEMED: somebody has redeemed the receipt before
   * @throws UnprocessableError 422 ACTION_CHANGED, INVALID_RECEIPT or RECEIPT_EXPIRED
   */
  async redeem(receipt: string, args: object, options?: CreateOptions): Promise<RedeemedReceipt> {
    const request = api.create('/api/mcp/receipts/redeem', { receipt, args }, options);
    return readData(await this.#transport.send(request));
  }
}
