import {
  InboundCreatedOut,
  InboundIn,
  InboundOut,
  InboundPatch,
  InboundPatchedOut,
  InboundRequestsOut,
  InboundRotatedOut,
  PageQuery,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createInboundEndpoints, type InboundEndpointsDeps } from './inbound-endpoints.ts';

const INBOUND = '/api/forms/:formId/inbound';
const ENDPOINTS = '/api/forms/:formId/inbound/endpoints';
const ENDPOINT = '/api/forms/:formId/inbound/endpoints/:inboundId';

const manageInbound = { scope: 'forms:inbound:manage' } as const;
const SECRET_NEEDS_RECENT_LOGIN = 'Setting or removing the secret needs a login from the last 10 minutes.';

/**
 * The inbound endpoints of a form. The older paths without an endpoint id refer to the oldest
 * endpoint.
 */
export function inboundRoutes(deps: InboundEndpointsDeps): Route[] {
  const inbound = createInboundEndpoints(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: INBOUND, summary: 'Create the inbound endpoint', access: manageInbound,
      body: InboundIn, optionalBody: true, status: 201, response: InboundCreatedOut, idempotent: true,
      errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'inbound.created', handler: inbound.create }),
    route({ method: 'GET', path: INBOUND, summary: 'Get the inbound endpoint', access: manageInbound,
      status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.get }),
    route({ method: 'PATCH', path: INBOUND, summary: 'Update the inbound endpoint', operationId: 'changeInboundEndpoint', access: manageInbound,
      body: InboundPatch, status: 200, response: InboundPatchedOut, errors: ['NOT_FOUND', 'CONFLICT', 'REAUTHENTICATION_REQUIRED'],
      description: SECRET_NEEDS_RECENT_LOGIN, audit: 'inbound.updated', handler: inbound.change }),
    route({ method: 'DELETE', path: INBOUND, summary: 'Delete the inbound endpoint', access: manageInbound,
      status: 204, errors: ['NOT_FOUND'], audit: 'inbound.deleted', handler: inbound.remove }),
    route({ method: 'GET', path: `${INBOUND}/requests`, summary: 'List the last 50 requests to the inbound endpoint', operationId: 'listInboundRequests',
      access: manageInbound, status: 200, response: InboundRequestsOut, handler: inbound.requests }),
    route({ method: 'POST', path: `${INBOUND}/rotate`, summary: 'Rotate the token of the inbound endpoint', operationId: 'rotateInboundToken', access: manageInbound, needsRecentLogin: true,
      status: 200, response: InboundRotatedOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'inbound.token_rotated', handler: inbound.rotate }),

    route({ method: 'POST', path: ENDPOINTS, summary: 'Add an inbound endpoint to a form', operationId: 'addInboundEndpoint', access: manageInbound,
      description: 'A form can have 20. Calls under `/inbound` without an id apply to the oldest.',
      body: InboundIn, optionalBody: true, status: 201, response: InboundCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], replyHeaders: ['Location'], audit: 'inbound.created', handler: inbound.add }),
    route({ method: 'GET', path: ENDPOINTS, summary: 'List the inbound endpoints of a form', operationId: 'listInboundEndpoints', access: manageInbound,
      query: PageQuery, status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.list }),
    route({ method: 'GET', path: ENDPOINT, summary: 'Get an inbound endpoint by id', operationId: 'getInboundEndpointById', access: manageInbound,
      status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.get }),
    route({ method: 'PATCH', path: ENDPOINT, summary: 'Update an inbound endpoint by id', operationId: 'changeInboundEndpointById', access: manageInbound,
      body: InboundPatch, status: 200, response: InboundPatchedOut, errors: ['NOT_FOUND', 'CONFLICT', 'REAUTHENTICATION_REQUIRED'],
      description: SECRET_NEEDS_RECENT_LOGIN, audit: 'inbound.updated', handler: inbound.change }),
    route({ method: 'DELETE', path: ENDPOINT, summary: 'Delete an inbound endpoint by id', operationId: 'deleteInboundEndpointById', access: manageInbound,
      status: 204, errors: ['NOT_FOUND'], audit: 'inbound.deleted', handler: inbound.remove }),
    route({ method: 'GET', path: `${ENDPOINT}/requests`, summary: 'List the last 50 requests to an inbound endpoint by id', operationId: 'listInboundRequestsById',
      access: manageInbound, status: 200, response: InboundRequestsOut, errors: ['NOT_FOUND'], handler: inbound.requests }),
    route({ method: 'POST', path: `${ENDPOINT}/rotate`, summary: 'Rotate the token of an inbound endpoint by id', operationId: 'rotateInboundTokenById', access: manageInbound, needsRecentLogin: true,
      status: 200, response: InboundRotatedOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'inbound.token_rotated', handler: inbound.rotate }),
  ];
}
