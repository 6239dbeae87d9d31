import { DEFAULT_INBOUND_NAME, type PageQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type PathRequest, type Reply } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import {
  formOfEndpoint,
  type FormRecord,
  INBOUND_REQUESTS_SHOWN,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
  inboundSlots,
  ownForm,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { createEndpointCreation } from './create-endpoint.ts';
import { endpointDeleted, endpointOut, ownEndpoint, type EndpointRequest } from './own-endpoint.ts';
import { createEndpointUpdates } from './update-endpoint.ts';

export interface InboundEndpointsDeps {
  forms: Collection<FormRecord>;
  endpoints: Collection<InboundEndpointRecord>;
  inboundRequests: Collection<InboundRequestsRecord>;
  secretBox: SecretBox;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}

/**
 * The inbound endpoints of a form. A path without an endpoint id means the form's oldest: forms
 * used to have one endpoint each. docs/reference/inbound.md#inbound-endpoint-object
 */
export function createInboundEndpoints(deps: InboundEndpointsDeps) {
  const { forms, endpoints, inboundRequests, baseUrl } = deps;
  return {
    ...createEndpointCreation(deps),
    ...createEndpointUpdates(deps),

    list: async ({ params, query, caller }: PathRequest<'formId', PageQuery>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      const { items, pagination } = await findPage(
        endpoints,
        { formId: { $in: inboundSlots(form._id) } },
        { prefix: 'inb', ...query },
      );
      return { data: items.map((endpoint) => endpointOut(endpoint, baseUrl)), pagination };
    },

    get: async ({ params, caller }: EndpointRequest): Promise<Reply> => {
      return { data: endpointOut(await ownEndpoint(deps, caller, params), baseUrl) };
    },

    /** Newest first. The gateway records requests shortly after it has responded. */
    requests: async ({ params, caller }: EndpointRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(deps, caller, params);
      const { requests = [] } = (await inboundRequests.findOne({ _id: endpoint._id })) ?? {};
      const latestFirst = requests.toReversed().sort((a, b) => b.time.localeCompare(a.time));
      const shown = latestFirst.slice(0, INBOUND_REQUESTS_SHOWN);
      return { data: shown.map((each) => ({ ...each, pointer: each.pointer ?? null })) };
    },

    remove: async ({ params, caller, note, audit }: EndpointRequest): Promise<Reply> => {
      const endpoint = await ownEndpoint(deps, caller, params);
      if (!(await endpoints.deleteOne({ _id: endpoint._id }))) throw endpointDeleted();
      audit({ target: { id: endpoint._id, name: endpoint.name ?? DEFAULT_INBOUND_NAME } });
      await inboundRequests.deleteOne({ _id: endpoint._id });
      note({ event: 'inbound_endpoint.deleted', formId: formOfEndpoint(endpoint), endpointId: endpoint._id });
      return {};
    },
  };
}
