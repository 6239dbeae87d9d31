import { AppError, type InboundIn, type InboundOut, type InboundPatch } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http-kit';
import type { Caller } from '@svcforms/identity';
import {
  INBOUND_REQUESTS_SHOWN,
  inboundSecretContext,
  insertOnce,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
} from '@svcforms/records';
import { generateToken, hashToken, type SecretBox } from '@svcforms/signing';
import { ownForm } from '../forms/forms.ts';

export interface InboundEndpointsDeps {
  forms: Collection<FormRecord>;
  endpoints: Collection<InboundEndpointRecord>;
  inboundRequests: Collection<InboundRequestsRecord>;
  secretBox: SecretBox;
  /** The public origin. */
  baseUrl: string;
  now: () => number;
}

const TOKEN_PREFIX = 'svc_inb_';

/** The one inbound endpoint of a form. spec: webhooks-tasks-inbound, Inbound endpoint; contract: api.md §4 */
export function createInboundEndpoints(deps: InboundEndpointsDeps) {
  const { forms, endpoints, secretBox, now } = deps;
  const at = () => new Date(now()).toISOString();

  const endpointOut = (endpoint: InboundEndpointRecord): InboundOut => ({
    id: endpoint._id,
    formId: endpoint.formId,
    tokenLast4: endpoint.tokenLast4,
    hasSecret: endpoint.secret !== undefined,
    fieldMapping: JSON.parse(endpoint.fieldMapping) as Record<string, string>,
    isEnabled: endpoint.isEnabled,
    url: `${deps.baseUrl}/api/inbound/${endpoint.formId}`,
    createdAt: endpoint.createdAt,
  });

  async function ownEndpoint(caller: Caller, formId: string): Promise<InboundEndpointRecord> {
    await ownForm(forms, caller, formId);
    const endpoint = await endpoints.findOne({ formId });
    if (!endpoint)
      throw new AppError('NOT_FOUND', 'The form has no inbound endpoint; POST to this path creates one');
    return endpoint;
  }

  async function update(
    { params, caller, note }: RouteRequest,
    change: (endpoint: InboundEndpointRecord) => {
      $set?: Partial<InboundEndpointRecord>;
      $unset?: { secret: true };
    },
  ): Promise<InboundEndpointRecord> {
    const endpoint = await ownEndpoint(caller, params['formId'] ?? '');
    const { $set, ...rest } = change(endpoint);
    const updated = await endpoints.findOneAndUpdate(
      { _id: endpoint._id },
      { $set: { ...$set, updatedAt: at() }, ...rest },
      { returning: 'after' },
    );
    if (!updated) throw new AppError('NOT_FOUND', 'The inbound endpoint was deleted meanwhile');
    note({ event: 'inbound_endpoint.changed', formId: endpoint.formId, endpointId: endpoint._id });
    return updated;
  }

  /** The answer that told the token and the secret was lost; nobody has them. */
  async function renew({ _id, tokenHash, tokenLast4, secret }: InboundEndpointRecord): Promise<void> {
    await endpoints.updateOne({ _id }, { $set: { tokenHash, tokenLast4, secret } });
  }

  return {
    create: async ({
      params,
      body,
      caller,
      newId,
      note,
    }: RouteRequest<unknown, InboundIn>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params['formId'] ?? '');
      const token = generateToken(TOKEN_PREFIX);
      const secret = body.secret === true ? generateSecret() : body.secret;
      const _id = newId('inb');
      const endpoint: InboundEndpointRecord = {
        _id,
        accountId: caller.accountId,
        formId: form._id,
        tokenHash: hashToken(token),
        tokenLast4: token.slice(-4),
        ...(secret === undefined ? {} : { secret: secretBox.seal(secret, inboundSecretContext(_id)) }),
        fieldMapping: JSON.stringify(body.fieldMapping),
        isEnabled: body.isEnabled,
        createdAt: at(),
        updatedAt: at(),
      };
      try {
        const stored = await insertOnce(endpoints, endpoint);
        if (stored !== endpoint) await renew(endpoint);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError(
          'CONFLICT',
          'The form has an inbound endpoint already; change it by PATCH, or POST …/rotate for a new token',
        );
      }
      note({ event: 'inbound_endpoint.created', formId: form._id, endpointId: _id });
      return {
        data: { ...endpointOut(endpoint), token, ...(body.secret === true ? { secret } : {}) },
        headers: { Location: `/api/forms/${form._id}/inbound` },
      };
    },

    get: async ({ params, caller }: RouteRequest): Promise<Reply> => {
      return { data: endpointOut(await ownEndpoint(caller, params['formId'] ?? '')) };
    },

    change: async (request: RouteRequest<unknown, InboundPatch>): Promise<Reply> => {
      const { secret: wanted, fieldMapping, isEnabled } = request.body;
      const secret = wanted === true ? generateSecret() : wanted;
      const updated = await update(request, ({ _id }) => ({
        $set: {
          ...(isEnabled === undefined ? {} : { isEnabled }),
          ...(fieldMapping === undefined ? {} : { fieldMapping: JSON.stringify(fieldMapping) }),
          ...(secret ? { secret: secretBox.seal(secret, inboundSecretContext(_id)) } : {}),
        },
        ...(secret === null ? { $unset: { secret: true as const } } : {}),
      }));
      return { data: { ...endpointOut(updated), ...(wanted === true ? { secret } : {}) } };
    },

    rotate: async (request: RouteRequest): Promise<Reply> => {
      const token = generateToken(TOKEN_PREFIX);
      const updated = await update(request, () => ({
        $set: { tokenHash: hashToken(token), tokenLast4: token.slice(-4) },
      }));
      return { data: { ...endpointOut(updated), token } };
    },

    /** The latest first. The gateway notes them a moment after it has answered. */
    requests: async ({ params, caller }: RouteRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(caller, params['formId'] ?? '');
      const { requests = [] } = (await deps.inboundRequests.findOne({ _id: endpoint._id })) ?? {};
      const latestFirst = requests.toReversed().sort((a, b) => b.time.localeCompare(a.time));
      return { data: latestFirst.slice(0, INBOUND_REQUESTS_SHOWN) };
    },

    remove: async ({ params, caller, note }: RouteRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(caller, params['formId'] ?? '');
      await endpoints.deleteOne({ _id: endpoint._id });
      await deps.inboundRequests.deleteOne({ _id: endpoint._id });
      note({ event: 'inbound_endpoint.deleted', formId: endpoint.formId, endpointId: endpoint._id });
      return {};
    },
  };
}

/** 43 characters of base64url: 256 bits. */
const generateSecret = (): string => generateToken('');
