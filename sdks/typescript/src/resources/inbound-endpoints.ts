import { SvcFormsError } from '../errors.ts';
import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData, readList } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import { checkMayGenerate, concealed, newHexSecret } from '../secrets.ts';
import type {
  CreateOptions,
  InboundEndpoint,
  InboundEndpointCreated,
  InboundEndpointPatched,
  InboundEndpointRotated,
  InboundInput,
  InboundPatch,
  InboundRequest,
  QueryOf,
  RequestOptions,
} from '../types.ts';

/**
 * `client.inbound.endpoints`: the inbound endpoints of a form, at most 20. Scope:
 * `forms:inbound:manage`.
 */
export class InboundEndpoints {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Adds an inbound endpoint to a form. Only this result contains the `token`.
   * @throws SvcFormsError if an earlier call with the same `idempotencyKey` got the token.
   * @throws TypeError if the options have an `idempotencyKey`, and the endpoint `secret: true`.
   */
  async create(
    formId: string,
    endpoint: InboundInput = {},
    options?: CreateOptions,
  ): Promise<InboundEndpointCreated> {
    return createEndpoint(this.#transport, listPath(formId), formId, endpoint, options);
  }

  /** Lists the inbound endpoints of a form, newest first. */
  list(
    formId: string,
    query?: QueryOf<'listInboundEndpoints'>,
    options?: RequestOptions,
  ): Pager<InboundEndpoint> {
    return new Pager(this.#transport, api.get(listPath(formId), query, options));
  }

  /** Returns one inbound endpoint. */
  async get(formId: string, inboundId: string, options?: RequestOptions): Promise<InboundEndpoint> {
    return readData(await this.#transport.send(api.get(pathOf(formId, inboundId), undefined, options)));
  }

  /** Updates the given properties and keeps the others, like `inbound.update`. */
  async update(
    formId: string,
    inboundId: string,
    patch: InboundPatch,
    options?: RequestOptions,
  ): Promise<InboundEndpointPatched> {
    return updateEndpoint(this.#transport, pathOf(formId, inboundId), patch, options);
  }

  /** Deletes an inbound endpoint and its request log. */
  async delete(formId: string, inboundId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(formId, inboundId), options));
  }

  /** Replaces the token. The old token stops working immediately. */
  async rotate(formId: string, inboundId: string, options?: RequestOptions): Promise<InboundEndpointRotated> {
    return rotateToken(this.#transport, formId, inboundId, options);
  }

  /**
   * Returns the last 50 requests with the endpoint's token, including refused ones, newest first.
   */
  async requests(formId: string, inboundId: string, options?: RequestOptions): Promise<InboundRequest[]> {
    const path = pathOf(formId, inboundId, '/requests');
    return readList(await this.#transport.send(api.get(path, undefined, options)));
  }
}

/**
 * Creates an inbound endpoint at a path. The client generates secrets, so that a lost response
 * can't lose them.
 * @throws SvcFormsError if an earlier request with the caller's idempotency key got the token.
 * @throws TypeError if the caller chose the idempotency key, but not the secret.
 */
export async function createEndpoint(
  transport: Transport,
  path: string,
  formId: string,
  { secret, ...body }: InboundInput,
  options?: CreateOptions,
): Promise<InboundEndpointCreated> {
  if (secret === true) checkMayGenerate(options);
  const generated = secret === true ? newHexSecret() : null;
  const request = api.create(path, { ...body, secret: generated ?? secret }, options);
  const created = readData<Omit<InboundEndpointCreated, 'token'> & { token?: string | null }>(
    await transport.send(request),
  );
  // An earlier call may have got the token, and a new one would stop it from working.
  if (!created.token && options?.idempotencyKey)
    throw new SvcFormsError(
      `An earlier request with this idempotencyKey created the inbound endpoint ${created.id} and got its token; if ` +
        'it is lost, replace it with inbound.endpoints.rotate',
    );
  // With a key of this call alone, the first response was lost together with the token, so nobody
  // uses that token.
  const token = created.token ?? (await rotateToken(transport, formId, created.id, options)).token;
  return concealed({ ...created, token, secret: generated }, 'token', 'secret');
}

/** Updates an inbound endpoint at a path. */
export async function updateEndpoint(
  transport: Transport,
  path: string,
  { secret, ...patch }: InboundPatch,
  options?: RequestOptions,
): Promise<InboundEndpointPatched> {
  const generated = secret === true ? newHexSecret() : null;
  const body = secret === undefined ? patch : { ...patch, secret: generated ?? secret };
  const updated = readData<InboundEndpoint>(await transport.send(api.patch(path, body, options)));
  return concealed({ ...updated, secret: generated }, 'secret');
}

async function rotateToken(
  transport: Transport,
  formId: string,
  inboundId: string,
  options?: RequestOptions,
): Promise<InboundEndpointRotated> {
  const path = pathOf(formId, inboundId, '/rotate');
  const response = await transport.send(api.act(path, undefined, options, { isRetryable: true }));
  return concealed(readData<InboundEndpointRotated>(response), 'token');
}

function listPath(formId: string): string {
  return api.path('/api/forms/{}/inbound/endpoints', formId);
}

function pathOf(formId: string, inboundId: string, rest = ''): string {
  return api.path(`/api/forms/{}/inbound/endpoints/{}${rest}`, formId, inboundId);
}
