import type { AgentConsentIn, AgentConsentOut, AgentConsentResultOut, AgentOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { pagedQuery } from './paged-query.ts';

export const agentListQuery = pagedQuery<AgentOut>(['agents'], '/api/agents', { limit: 50 });

export const disconnectAgent = (agentId: string) => request<void>('DELETE', `/api/agents/${agentId}`);

const pathOf = (consentId: string) => `/api/oauth/consents/${encodeURIComponent(consentId)}`;

/** What the agent requests that opened this browser. */
export const agentConsentQuery = (consentId: string) =>
  queryOptions({
    queryKey: ['agent-consent', consentId],
    queryFn: ({ signal }) => request<AgentConsentOut>('GET', `${pathOf(consentId)}/request`, { signal }),
    staleTime: Infinity,
    retry: false,
  });

export const approveAgent = (consentId: string, body: AgentConsentIn) =>
  request<AgentConsentResultOut>('POST', `${pathOf(consentId)}/approve`, { body });
export const denyAgent = (consentId: string) =>
  request<AgentConsentResultOut>('POST', `${pathOf(consentId)}/deny`);
