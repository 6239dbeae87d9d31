import type { InboundIn } from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import { isoTime } from '@svcforms/primitives';
import { type InboundEndpointRecord, inboundSecretContext, ownForm } from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import type { InboundEndpointsDeps } from './inbound-endpoints.ts';
import { insertAmong, insertOnly } from './insert-endpoint.ts';
import { endpointOut, newSecret, newToken } from './own-endpoint.ts';

type CreateRequest = PathRequest<'formId', unknown, InboundIn>;

/** The handlers that create endpoints. */
export function createEndpointCreation(deps: InboundEndpointsDeps) {
  const { forms, endpoints, secretBox, baseUrl, now } = deps;

  /** The first response was lost, so nobody has its token and secret. New ones replace them. */
  async function renew({ _id, tokenHash, tokenLast4, secret }: InboundEndpointRecord): Promise<void> {
    await endpoints.updateOne({ _id }, { $set: { tokenHash, tokenLast4, secret } });
  }

  async function create(
    { params, body, caller, newId, note }: CreateRequest,
    insert: typeof insertOnly,
    locationOf: (formId: string, endpointId: string) => string,
  ): Promise<Reply> {
    const form = await ownForm(forms, caller, params.formId);
    const token = newToken();
    const secret = body.secret === true ? newSecret() : body.secret;
    const _id = newId('inb');
    const createdAt = isoTime(now());
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
      createdAt,
      updatedAt: createdAt,
    };
    const { isRepeated } = await insert(endpoints, endpoint);
    if (isRepeated) await renew(endpoint);
    note({ event: 'inbound_endpoint.created', formId: form._id, endpointId: _id });
    return {
      data: { ...endpointOut(endpoint, baseUrl), token, ...(body.secret === true ? { secret } : {}) },
      headers: { Location: locationOf(form._id, _id) },
    };
  }

  return {
    /** Creates the form's first endpoint. @throws AppError `CONFLICT` if it has one */
    create: (request: CreateRequest): Promise<Reply> =>
      create(request, insertOnly, (formId) => `/api/forms/${formId}/inbound`),

    /** Adds an endpoint. @throws AppError `CONFLICT` if the form has the maximum */
    add: (request: CreateRequest): Promise<Reply> =>
      create(request, insertAmong, (formId, id) => `/api/forms/${formId}/inbound/endpoints/${id}`),
  };
}
