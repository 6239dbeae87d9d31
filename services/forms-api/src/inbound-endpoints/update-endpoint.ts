import { AppError, DEFAULT_INBOUND_NAME, validationFailed, type InboundPatch } from '@svcforms/contracts';
import { unsetting, type Filter, type Update } from '@svcforms/document-store';
import { changesBetween, requireRecentLogin, type Reply, type RouteRequest } from '@svcforms/http';
import { isoTime } from '@svcforms/primitives';
import { formOfEndpoint, inboundSecretContext, type InboundEndpointRecord } from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import type { InboundEndpointsDeps } from './inbound-endpoints.ts';
import {
  endpointDeleted,
  endpointOut,
  newSecret,
  newToken,
  ownEndpoint,
  type EndpointRequest,
} from './own-endpoint.ts';

/** What an endpoint must still have when it is updated, and the error if it doesn't. */
interface Precondition {
  filter: Filter<InboundEndpointRecord>;
  error: () => AppError;
}

/** The handlers that change endpoints. */
export function createEndpointUpdates(deps: InboundEndpointsDeps) {
  const { endpoints, secretBox, baseUrl, now } = deps;

  /**
   * @param precondition a filter that the endpoint must still match when it is updated, and the
   * error if it doesn't
   */
  async function update(
    { note, audit }: Pick<RouteRequest, 'note' | 'audit'>,
    endpoint: InboundEndpointRecord,
    { $set, $unset }: Update<InboundEndpointRecord>,
    precondition?: Precondition,
  ): Promise<InboundEndpointRecord> {
    const updated = await endpoints.findOneAndUpdate(
      { _id: endpoint._id, ...precondition?.filter },
      { $set: { ...$set, updatedAt: isoTime(now()) }, ...($unset && { $unset }) },
      { returning: 'after' },
    );
    if (!updated) {
      const isDeleted = !(await endpoints.findOne({ _id: endpoint._id }));
      throw isDeleted || !precondition ? endpointDeleted() : precondition.error();
    }
    note({ event: 'inbound_endpoint.changed', formId: formOfEndpoint(endpoint), endpointId: endpoint._id });
    audit({
      target: { id: endpoint._id, name: updated.name ?? DEFAULT_INBOUND_NAME },
      changes: changesBetween(endpoint, updated, {
        names: ['name', 'isEnabled', 'requireTimestamp'],
        hidden: ['fieldMapping', 'secret'],
        written: { ...$set, ...$unset },
      }),
    });
    return updated;
  }

  return {
    change: async (request: EndpointRequest<InboundPatch>): Promise<Reply> => {
      const { secret: wanted, fieldMapping, isEnabled, name, requireTimestamp } = request.body;
      if (wanted !== undefined) requireRecentLogin(request.caller, now());
      const endpoint = await ownEndpoint(deps, request.caller, request.params);
      const secret = wanted === true ? newSecret() : wanted;
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
          ...unsetting(unset),
        },
        needsStoredSecret
          ? { filter: { secret: { $exists: true } }, error: secretMissing }
          : // Of two generated secrets, one would be shown and never work.
            wanted === true
            ? { filter: { secret: endpoint.secret ?? null }, error: () => replacedMeanwhile('secret') }
            : undefined,
      );
      return { data: { ...endpointOut(updated, baseUrl), ...(wanted === true ? { secret } : {}) } };
    },

    rotate: async (request: EndpointRequest): Promise<Reply> => {
      const token = newToken();
      const endpoint = await ownEndpoint(deps, request.caller, request.params);
      const updated = await update(
        request,
        endpoint,
        { $set: { tokenHash: hashToken(token), tokenLast4: token.slice(-4) } },
        // Of two tokens, one would be shown and never work.
        { filter: { tokenHash: endpoint.tokenHash }, error: () => replacedMeanwhile('token') },
      );
      return { data: { ...endpointOut(updated, baseUrl), token } };
    },
  };
}

const replacedMeanwhile = (what: 'token' | 'secret') =>
  new AppError('CONFLICT', `Another request has just replaced the ${what}. Try again if you need a new one.`);

const secretMissing = () =>
  validationFailed([{ pointer: '/requireTimestamp', message: 'requires a signing secret; send secret too' }]);
