import * as api from '../http/request.ts';
import { readData, readList } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import { concealed } from '../secrets.ts';
import { signInbound } from '../signatures.ts';
import type {
  CreateOptions,
  InboundEndpoint,
  InboundEndpointCreated,
  InboundEndpointPatched,
  InboundEndpointRotated,
  InboundInput,
  InboundPatch,
  InboundRequest,
  RequestOptions,
} from '../types.ts';
import { createEndpoint, InboundEndpoints, updateEndpoint } from './inbound-endpoints.ts';

/** Options of `inbound.send`. */
export interface SendOptions extends CreateOptions {
  /** The endpoint's signing secret, if it has one. */
  secret?: string | undefined;
  /** Whether to send and sign a timestamp, for an endpoint with `requireTimestamp`. */
  timestamped?: boolean | undefined;
  /** `hops` of the verified webhook that led to this submission, so that the server ends a loop. */
  hops?: number | undefined;
}

/**
 * `client.inbound`. Scope: `forms:inbound:manage`; `send` needs the endpoint's token instead.
 *
 * A form can have several inbound endpoints: `client.inbound.endpoints` manages them. Methods here
 * that take only a form use its oldest endpoint.
 */
export class Inbound {
  /** The inbound endpoints of a form. */
  readonly endpoints: InboundEndpoints;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.endpoints = new InboundEndpoints(transport);
  }

  /**
   * Creates the first inbound endpoint of a form. Only this result contains the `token`.
   * `secret: true` generates a signing secret; without one, requests need no signature.
   * @throws ConflictError if the form already has an inbound endpoint.
   * @throws SvcFormsError if an earlier call with the same `idempotencyKey` got the token.
   * @throws TypeError if the options have an `idempotencyKey`, and the endpoint `secret: true`.
   */
  async create(
    formId: string,
    endpoint: InboundInput = {},
    options?: CreateOptions,
  ): Promise<InboundEndpointCreated> {
    return createEndpoint(this.#transport, pathOf(formId), formId, endpoint, options);
  }

  /** Returns the inbound endpoint of a form. */
  async get(formId: string, options?: RequestOptions): Promise<InboundEndpoint> {
    return readData(await this.#transport.send(api.get(pathOf(formId), undefined, options)));
  }

  /**
   * Updates the given properties and keeps the others. `secret: true` generates a new one; null
   * removes it with `requireTimestamp`.
   */
  async update(
    formId: string,
    patch: InboundPatch,
    options?: RequestOptions,
  ): Promise<InboundEndpointPatched> {
    return updateEndpoint(this.#transport, pathOf(formId), patch, options);
  }

  /**
   * Deletes the inbound endpoint of a form. The client doesn't retry this: if only the response was
   * lost, the next-oldest endpoint would be deleted too.
   */
  async delete(formId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ ...api.remove(pathOf(formId), options), isRetryable: false });
  }

  /** Replaces the token. The old token stops working immediately. */
  async rotate(formId: string, options?: RequestOptions): Promise<InboundEndpointRotated> {
    const request = api.act(pathOf(formId, '/rotate'), undefined, options, { isRetryable: true });
    return concealed(readData<InboundEndpointRotated>(await this.#transport.send(request)), 'token');
  }

  /**
   * Returns the last 50 requests, including refused ones and those with an unknown token, newest
   * first.
   */
  async requests(formId: string, options?: RequestOptions): Promise<InboundRequest[]> {
    return readList(await this.#transport.send(api.get(pathOf(formId, '/requests'), undefined, options)));
  }

  /**
   * Sends a submission to the inbound endpoint and returns its id. The request doesn't contain the
   * API key. `data`: inbound key → value.
   * @throws TypeError if `timestamped` is set without a secret.
   */
  async send(
    formId: string,
    token: string,
    data: object,
    { secret, timestamped = false, ...options }: SendOptions = {},
  ): Promise<string> {
    if (timestamped && secret === undefined)
      throw new TypeError('timestamped needs a secret to sign the timestamp');
    const request = api.create(api.path('/api/inbound/{}', formId), data, options);
    const headers: Record<string, string> = { ...request.headers, Authorization: `Bearer ${token}` };
    const timestamp = timestamped ? Math.floor(Date.now() / 1000) : undefined;
    if (timestamp !== undefined) headers['X-SvcForms-Timestamp'] = String(timestamp);
    if (secret !== undefined)
      headers['X-SvcForms-Signature-256'] = await signInbound(request.body ?? '', secret, { timestamp });
    const response = await this.#transport.send({ ...request, headers });
    return readData<{ submissionId: string }>(response).submissionId;
  }
}

function pathOf(formId: string, rest = ''): string {
  return api.path(`/api/forms/{}/inbound${rest}`, formId);
}
