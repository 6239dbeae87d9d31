import {
  AppError,
  DEFAULT_INBOUND_NAME,
  validationFailed,
  type InboundIn,
  type InboundOut,
  type InboundPatch,
  type PageQuery,
} from '@svcforms/contracts';
import type { Collection, Update } from '@svcforms/document-store';
import {
  changesBetween,
  findPage,
  requireRecentLogin,
  type PathRequest,
  type Reply,
  type RouteRequest,
} from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import {
  formOfEndpoint,
  INBOUND_REQUESTS_SHOWN,
  inboundSecretContext,
  inboundSlots,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
} from '@svcforms/records';
import { generateToken, hashToken, type SecretBox } from '@svcforms/signing';
import { ownForm } from '../forms/own-form.ts';
import { insertAmong, insertOnly } from './insert-endpoint.ts';

export interface InboundEndpointsDeps {
  forms: Collection<FormRecord>;
  endpoints: Collection<InboundEndpointRecord>;
  inboundRequests: Collection<InboundRequestsRecord>;
  secretBox: SecretBox;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}

const TOKEN_PREFIX = 'svc_inb_';

interface EndpointPath {
  formId: string;
  /** Absent where the path means the oldest endpoint of the form. */
  inboundId?: string;
}

type EndpointRequest<B = unknown> = RouteRequest<unknown, B, Caller, EndpointPath>;

/**
 * The inbound endpoints of a form. A path without an endpoint id means the form's oldest: forms used to have one endpoint each.
 * docs/reference/inbound.md#inbound-endpoint-object
 */
export function createInboundEndpoints(deps: InboundEndpointsDeps) {
  const { forms, endpoints, secretBox, now } = deps;
  const at = () => new Date(now()).toISOString();

  const endpointOut = (endpoint: InboundEndpointRecord): InboundOut => ({
    id: endpoint._id,
    formId: formOfEndpoint(endpoint),
    name: endpoint.name ?? DEFAULT_INBOUND_NAME,
    tokenLast4: endpoint.tokenLast4,
    hasSecret: endpoint.secret !== undefined,
    requireTimestamp: endpoint.secret !== undefined && endpoint.requireTimestamp === true,
    fieldMapping: JSON.parse(endpoint.fieldMapping) as Record<string, string>,
    isEnabled: endpoint.isEnabled,
    url: `${deps.baseUrl}/api/inbound/${formOfEndpoint(endpoint)}`,
    createdAt: endpoint.createdAt,
  });

  async function ownEndpoint(
    caller: Caller,
    { formId, inboundId }: EndpointPath,
  ): Promise<InboundEndpointRecord> {
    await ownForm(forms, caller, formId);
    const ofForm = { formId: { $in: inboundSlots(formId) } };
    const [endpoint] =
      inboundId === undefined
        ? await endpoints.find(ofForm, { sort: ['createdAt', '_id'], limit: 1 })
        : await endpoints.find({ _id: inboundId, ...ofForm });
    if (endpoint) return endpoint;
    throw new AppError(
      'NOT_FOUND',
      inboundId === undefined
        ? 'The form has no inbound endpoint; POST to this path creates one'
        : 'The form has no such inbound endpoint',
    );
  }

  /** @param precondition a filter that the endpoint must still match when it is updated */
  async function update(
    { note, audit }: Pick<RouteRequest, 'note' | 'audit'>,
    endpoint: InboundEndpointRecord,
    { $set, ...rest }: Update,
    precondition: { secret?: { $exists: true } } = {},
  ): Promise<InboundEndpointRecord> {
    const updated = await endpoints.findOneAndUpdate(
      { _id: endpoint._id, ...precondition },
      { $set: { ...$set, updatedAt: at() }, ...rest },
      { returning: 'after' },
    );
    if (!updated) {
      if (await endpoints.findOne({ _id: endpoint._id })) throw secretMissing();
      throw new AppError('NOT_FOUND', 'The inbound endpoint was deleted');
    }
    note({ event: 'inbound_endpoint.changed', formId: formOfEndpoint(endpoint), endpointId: endpoint._id });
    audit({
      target: { id: endpoint._id, name: updated.name ?? DEFAULT_INBOUND_NAME },
      changes: changesBetween(endpoint, updated, {
        names: ['name', 'isEnabled', 'requireTimestamp'],
        hidden: ['fieldMapping', 'secret'],
      }),
    });
    return updated;
  }

  /** The first response was lost, so nobody has its token and secret. New ones replace them. */
  async function renew({ _id, tokenHash, tokenLast4, secret }: InboundEndpointRecord): Promise<void> {
    await endpoints.updateOne({ _id }, { $set: { tokenHash, tokenLast4, secret } });
  }

  type Create = PathRequest<'formId', unknown, InboundIn>;
  async function create(
    { params, body, caller, newId, note }: Create,
    insert: typeof insertOnly,
    locationOf: (formId: string, endpointId: string) => string,
  ): Promise<Reply> {
    const form = await ownForm(forms, caller, params.formId);
    const token = generateToken(TOKEN_PREFIX);
    const secret = body.secret === true ? generateSecret() : body.secret;
    const _id = newId('inb');
    const endpoint: InboundEndpointRecord = {
      _id,
      accountId: caller.accountId,
      formId: form._id,
      ...(body.name === undefined ? {} : { name: body.name }),
      tokenHash: hashToken(token),
      tokenLast4: token.slice(-4),
      ...(secret === undefined ? {} : { secret: secretBox.seal(secret, inboundSecretContext(_id)) }),
      ...(body.requireTimestamp ? { requireTimestamp: true } : {}),
      fieldMapping: JSON.stringify(body.fieldMapping),
      isEnabled: body.isEnabled,
      createdAt: at(),
      updatedAt: at(),
    };
    const { isRepeated } = await insert(endpoints, endpoint);
    if (isRepeated) await renew(endpoint);
    note({ event: 'inbound_endpoint.created', formId: form._id, endpointId: _id });
    return {
      data: { ...endpointOut(endpoint), token, ...(body.secret === true ? { secret } : {}) },
      headers: { Location: locationOf(form._id, _id) },
    };
  }

  return {
    /** Creates the form's first endpoint. @throws AppError `CONFLICT` if it has one */
    create: (request: Create): Promise<Reply> =>
      create(request, insertOnly, (formId) => `/api/forms/${formId}/inbound`),

    /** Adds an endpoint. @throws AppError `CONFLICT` if the form has the maximum */
    add: (request: Create): Promise<Reply> =>
      create(request, insertAmong, (formId, id) => `/api/forms/${formId}/inbound/endpoints/${id}`),

    list: async ({ params, query, caller }: PathRequest<'formId', PageQuery>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      const { items, pagination } = await findPage(
        endpoints,
        { formId: { $in: inboundSlots(form._id) } },
        { prefix: 'inb', ...query },
      );
      return { data: items.map(endpointOut), pagination };
    },

    get: async ({ params, caller }: EndpointRequest): Promise<Reply> => {
      return { data: endpointOut(await ownEndpoint(caller, params)) };
    },

    change: async (request: EndpointRequest<InboundPatch>): Promise<Reply> => {
      const { secret: wanted, fieldMapping, isEnabled, name, requireTimestamp } = request.body;
      if (wanted !== undefined) requireRecentLogin(request.caller, now());
      const endpoint = await ownEndpoint(request.caller, request.params);
      const secret = wanted === true ? generateSecret() : wanted;
      const needsStoredSecret = requireTimestamp === true && wanted === undefined;
      if (needsStoredSecret && endpoint.secret === undefined) {
        throw secretMissing();
      }
      const unset = [
        ...(secret === null ? ['secret'] : []),
        ...(secret === null || requireTimestamp === false ? ['requireTimestamp'] : []),
      ];
      const updated = await update(
        request,
        endpoint,
        {
          $set: {
            ...(isEnabled === undefined ? {} : { isEnabled }),
            ...(name === undefined ? {} : { name }),
            ...(fieldMapping === undefined ? {} : { fieldMapping: JSON.stringify(fieldMapping) }),
            ...(secret ? { secret: secretBox.seal(secret, inboundSecretContext(endpoint._id)) } : {}),
            ...(requireTimestamp ? { requireTimestamp } : {}),
          },
          ...(unset.length > 0
            ? { $unset: Object.fromEntries(unset.map((each) => [each, true as const])) }
            : {}),
        },
        needsStoredSecret ? { secret: { $exists: true } } : {},
      );
      return { data: { ...endpointOut(updated), ...(wanted === true ? { secret } : {}) } };
    },

    rotate: async (request: EndpointRequest): Promise<Reply> => {
      const token = generateToken(TOKEN_PREFIX);
      const endpoint = await ownEndpoint(request.caller, request.params);
      const updated = await update(request, endpoint, {
        $set: { tokenHash: hashToken(token), tokenLast4: token.slice(-4) },
      });
      return { data: { ...endpointOut(updated), token } };
    },

    /** Newest first. The gateway records requests shortly after it has responded. */
    requests: async ({ params, caller }: EndpointRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(caller, params);
      const { requests = [] } = (await deps.inboundRequests.findOne({ _id: endpoint._id })) ?? {};
      const latestFirst = requests.toReversed().sort((a, b) => b.time.localeCompare(a.time));
      return { data: latestFirst.slice(0, INBOUND_REQUESTS_SHOWN) };
    },

    remove: async ({ params, caller, note, audit }: EndpointRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(caller, params);
      await endpoints.deleteOne({ _id: endpoint._id });
      await deps.inboundRequests.deleteOne({ _id: endpoint._id });
      note({ event: 'inbound_endpoint.deleted', formId: formOfEndpoint(endpoint), endpointId: endpoint._id });
      audit({ target: { id: endpoint._id, name: endpoint.name ?? DEFAULT_INBOUND_NAME } });
      return {};
    },
  };
}

/** 43 characters of base64url: 256 bits. */
const generateSecret = (): string => generateToken('');

const secretMissing = () =>
  validationFailed([{ pointer: '/requireTimestamp', message: 'requires a signing secret; send secret too' }]);
