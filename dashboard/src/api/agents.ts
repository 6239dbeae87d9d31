import type { AgentConsentIn, AgentConsentOut, AgentConsentResultOut, AgentOut } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export const agentListQuery = infiniteQueryOptions({
  queryKey: ['agents'],
  queryFn: ({ pageParam, signal }) =>
    requestPage<AgentOut>('/api/agents', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

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
