import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import { withSecret } from '../with-secret.ts';
import type {
  AccountFilterPreviewInput,
  AccountPayloadPreviewInput,
  AccountWebhook,
  AccountWebhookCreated,
  AccountWebhookInput,
  AccountWebhookPatch,
  CreateOptions,
  Delivery,
  DeliveryDetail,
  FilterPreview,
  PayloadPreview,
  QueryOf,
  RecoverInput,
  Recovery,
  RequestOptions,
  RotateSecretInput,
  StreamEventType,
  WebhookHealth,
  WebhookTest,
} from '../types.ts';

/**
 * `client.accountWebhooks`: webhooks that receive events of all forms, and their deliveries. Scope:
 * `forms:webhooks:manage`.
 */
export class AccountWebhooks {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates an account webhook. Without `forms`, it receives the events of all forms, including
   * later ones. Pass the `secret` of the result to `verifyWebhook`. Without a `secret`, the client
   * generates one, so that a lost response can't lose it.
   * @throws TypeError if the options have an `idempotencyKey`, but the webhook has no `secret`.
   */
  async create(webhook: AccountWebhookInput, options?: CreateOptions): Promise<AccountWebhookCreated> {
    return withSecret(this.#transport, '/api/webhooks', webhook, options);
  }

  /** Lists the webhooks of the account, newest first. */
  list(query?: QueryOf<'listAccountWebhooks'>, options?: RequestOptions): Pager<AccountWebhook> {
    return new Pager(this.#transport, api.get('/api/webhooks', query, options));
  }

  /** Returns one webhook. */
  async get(webhookId: string, options?: RequestOptions): Promise<AccountWebhook> {
    return readData(await this.#transport.send(api.get(pathOf(webhookId), undefined, options)));
  }

  /**
   * Updates the given properties and keeps the others. `forms: null` stands for all forms;
   * `isEnabled: true` also resets the failure count. In `headers`, null removes a header, and
   * others stay; `headers: null` removes all, `filter: null` the filter, and `payload: null` the
   * payload format. `isPublicKeySigned: false` deletes the key pair.
   */
  async update(
    webhookId: string,
    patch: AccountWebhookPatch,
    options?: RequestOptions,
  ): Promise<AccountWebhook> {
    return readData(await this.#transport.send(api.patch(pathOf(webhookId), patch, options)));
  }

  /** Deletes a webhook and its deliveries. */
  async delete(webhookId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(webhookId), options));
  }

  /**
   * Replaces the signing secret. During the overlap (24 hours by default), the server signs
   * deliveries with both secrets. Without a `secret`, the client generates one.
   * @throws TypeError if the options have an `idempotencyKey`, but the body has no `secret`.
   */
  async rotateSecret(
    webhookId: string,
    body: RotateSecretInput = {},
    options?: CreateOptions,
  ): Promise<AccountWebhookCreated> {
    return withSecret(this.#transport, pathOf(webhookId, '/rotate-secret'), body, options);
  }

  /** Sends a test event now and returns its result. */
  async test(
    webhookId: string,
    body: { eventType?: StreamEventType } = {},
    options?: RequestOptions,
  ): Promise<WebhookTest> {
    return readData(await this.#transport.send(api.act(pathOf(webhookId, '/test'), body, options)));
  }

  /**
   * Says which recent events a filter lets pass. Without a `filter`, that of the `webhookId`. Also
   * needs the scope `submissions:read`, and `tasks:read` for the events of tasks.
   */
  async previewFilter(body: AccountFilterPreviewInput, options?: RequestOptions): Promise<FilterPreview> {
    const path = '/api/webhooks/filter/preview';
    return readData(await this.#transport.send(api.act(path, body, options, { isRetryable: true })));
  }

  /** Renders a payload setting, saved or not, without sending it. Default: for a sample event. */
  async previewPayload(body: AccountPayloadPreviewInput, options?: RequestOptions): Promise<PayloadPreview> {
    const path = '/api/webhooks/payload/preview';
    return readData(await this.#transport.send(api.act(path, body, options, { isRetryable: true })));
  }

  /**
   * Sends the failed and held deliveries that were created in a period again. Skips delivered ones.
   * `dryRun` counts them without sending.
   */
  async recover(webhookId: string, body: RecoverInput, options?: RequestOptions): Promise<Recovery> {
    const path = pathOf(webhookId, '/recover');
    return readData(
      await this.#transport.send(api.act(path, body, options, { isRetryable: body.dryRun === true })),
    );
  }

  /**
   * Returns the attempts, success rate and latency of a webhook by hour. The server writes them
   * about once a second. `days` is the length of the period up to now, 1 to 7. Default: 7.
   */
  async health(
    webhookId: string,
    query?: QueryOf<'getAccountWebhookHealth'>,
    options?: RequestOptions,
  ): Promise<WebhookHealth> {
    return readData(await this.#transport.send(api.get(pathOf(webhookId, '/health'), query, options)));
  }

  /** Lists the deliveries of a webhook, newest first. `tests: 'include'`: also test events. */
  deliveries(
    webhookId: string,
    query?: QueryOf<'listAccountDeliveries'>,
    options?: RequestOptions,
  ): Pager<Delivery> {
    return new Pager(this.#transport, api.get(pathOf(webhookId, '/deliveries'), query, options));
  }

  /** Returns one delivery with all its attempts. `include: 'request'` adds its request. */
  async delivery(
    webhookId: string,
    deliveryId: string,
    query?: QueryOf<'getAccountDelivery'>,
    options?: RequestOptions,
  ): Promise<DeliveryDetail> {
    const path = pathOf(webhookId, '/deliveries/{}', deliveryId);
    return readData(await this.#transport.send(api.get(path, query, options)));
  }

  /** Sends a delivery again with the same event id and a new signature. */
  async redeliver(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<Delivery> {
    const path = pathOf(webhookId, '/deliveries/{}/redeliver', deliveryId);
    return readData(await this.#transport.send(api.act(path, undefined, options)));
  }
}

function pathOf(webhookId: string, rest = '', ...ids: string[]): string {
  return api.path(`/api/webhooks/{}${rest}`, webhookId, ...ids);
}
