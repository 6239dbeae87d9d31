import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import { withSecret } from '../with-secret.ts';
import type {
  CreateOptions,
  Delivery,
  DeliveryDetail,
  FilterPreview,
  FilterPreviewInput,
  PayloadPreview,
  PayloadPreviewInput,
  QueryOf,
  RecoverInput,
  Recovery,
  RequestOptions,
  RotateSecretInput,
  Webhook,
  WebhookCreated,
  WebhookEventType,
  WebhookHealth,
  WebhookInput,
  WebhookPatch,
  WebhookTest,
} from '../types.ts';

/** `client.webhooks`: webhooks of forms and their deliveries. Scope: `forms:webhooks:manage`. */
export class Webhooks {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a webhook. Pass the `secret` of the result to `verifyWebhook`. Without a `secret`, the
   * client generates one, so that a lost response can't lose it.
   * @throws TypeError if the options have an `idempotencyKey`, but the webhook has no `secret`.
   */
  async create(formId: string, webhook: WebhookInput, options?: CreateOptions): Promise<WebhookCreated> {
    return withSecret(this.#transport, api.path('/api/forms/{}/webhooks', formId), webhook, options);
  }

  /** Lists the webhooks of a form, newest first. */
  list(formId: string, query?: QueryOf<'listWebhooks'>, options?: RequestOptions): Pager<Webhook> {
    return new Pager(this.#transport, api.get(api.path('/api/forms/{}/webhooks', formId), query, options));
  }

  /** Returns one webhook. */
  async get(formId: string, webhookId: string, options?: RequestOptions): Promise<Webhook> {
    return readData(await this.#transport.send(api.get(pathOf(formId, webhookId), undefined, options)));
  }

  /**
   * Updates the given properties and keeps the others. `isEnabled: true` also resets the failure
   * count. In `headers`, null removes a header, and others stay; `headers: null` removes all,
   * `filter: null` the filter, and `payload: null` the payload format. `isPublicKeySigned: false`
   * deletes the key pair.
   */
  async update(
    formId: string,
    webhookId: string,
    patch: WebhookPatch,
    options?: RequestOptions,
  ): Promise<Webhook> {
    return readData(await this.#transport.send(api.patch(pathOf(formId, webhookId), patch, options)));
  }

  /** Deletes a webhook and its deliveries. */
  async delete(formId: string, webhookId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(formId, webhookId), options));
  }

  /**
   * Replaces the signing secret. During the overlap (24 hours by default), the server signs
   * deliveries with both secrets. Without a `secret`, the client generates one.
   * @throws TypeError if the options have an `idempotencyKey`, but the body has no `secret`.
   */
  async rotateSecret(
    formId: string,
    webhookId: string,
    body: RotateSecretInput = {},
    options?: CreateOptions,
  ): Promise<WebhookCreated> {
    return withSecret(this.#transport, pathOf(formId, webhookId, '/rotate-secret'), body, options);
  }

  /** Sends a test event now and returns its result. */
  async test(
    formId: string,
    webhookId: string,
    body: { eventType?: WebhookEventType } = {},
    options?: RequestOptions,
  ): Promise<WebhookTest> {
    return readData(await this.#transport.send(api.act(pathOf(formId, webhookId, '/test'), body, options)));
  }

  /**
   * Says which recent events of a form a filter lets pass. Without a `filter`, that of the
   * `webhookId`. Also needs the scope `submissions:read`, and `tasks:read` for the events of tasks.
   */
  async previewFilter(
    formId: string,
    body: FilterPreviewInput,
    options?: RequestOptions,
  ): Promise<FilterPreview> {
    const path = api.path('/api/forms/{}/webhooks/filter/preview', formId);
    return readData(await this.#transport.send(api.act(path, body, options, { isRetryable: true })));
  }

  /** Renders a payload setting, saved or not, without sending it. Default: for a sample event. */
  async previewPayload(
    formId: string,
    body: PayloadPreviewInput,
    options?: RequestOptions,
  ): Promise<PayloadPreview> {
    const path = api.path('/api/forms/{}/webhooks/payload/preview', formId);
    return readData(await this.#transport.send(api.act(path, body, options, { isRetryable: true })));
  }

  /**
   * Sends the failed and held deliveries that were created in a period again. Skips delivered ones.
   * `dryRun` counts them without sending.
   */
  async recover(
    formId: string,
    webhookId: string,
    body: RecoverInput,
    options?: RequestOptions,
  ): Promise<Recovery> {
    const path = pathOf(formId, webhookId, '/recover');
    return readData(
      await this.#transport.send(api.act(path, body, options, { isRetryable: body.dryRun === true })),
    );
  }

  /**
   * Returns the attempts, success rate and latency of a webhook by hour. The server writes them
   * about once a second. `days` is the length of the period up to now, 1 to 7. Default: 7.
   */
  async health(
    formId: string,
    webhookId: string,
    query?: QueryOf<'getWebhookHealth'>,
    options?: RequestOptions,
  ): Promise<WebhookHealth> {
    return readData(
      await this.#transport.send(api.get(pathOf(formId, webhookId, '/health'), query, options)),
    );
  }

  /** Lists the deliveries of a webhook, newest first. `tests: 'include'`: also test events. */
  deliveries(
    formId: string,
    webhookId: string,
    query?: QueryOf<'listDeliveries'>,
    options?: RequestOptions,
  ): Pager<Delivery> {
    return new Pager(this.#transport, api.get(pathOf(formId, webhookId, '/deliveries'), query, options));
  }

  /** Returns one delivery with all its attempts. `include: 'request'` adds its request. */
  async delivery(
    formId: string,
    webhookId: string,
    deliveryId: string,
    query?: QueryOf<'getDelivery'>,
    options?: RequestOptions,
  ): Promise<DeliveryDetail> {
    const path = pathOf(formId, webhookId, '/deliveries/{}', deliveryId);
    return readData(await this.#transport.send(api.get(path, query, options)));
  }

  /** Sends a delivery again with the same event id and a new signature. */
  async redeliver(
    formId: string,
    webhookId: string,
    deliveryId: string,
    options?: RequestOptions,
  ): Promise<Delivery> {
    const path = pathOf(formId, webhookId, '/deliveries/{}/redeliver', deliveryId);
    return readData(await this.#transport.send(api.act(path, undefined, options)));
  }
}

function pathOf(formId: string, webhookId: string, rest = '', ...ids: string[]): string {
  return api.path(`/api/forms/{}/webhooks/{}${rest}`, formId, webhookId, ...ids);
}
