import type {
  AccountOut,
  AccountPatch,
  SlackConnectIn,
  SlackConnectionOut,
  SlackTestOut,
} from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

export const slackQuery = queryOptions({
  queryKey: ['slack'],
  queryFn: ({ signal }) => request<SlackConnectionOut>('GET', '/api/auth/slack', { signal }),
  staleTime: 60_000,
});

export const connectSlack = (body: SlackConnectIn) =>
  request<SlackConnectionOut>('POST', '/api/auth/slack', { body });
export const disconnectSlack = () => request<void>('DELETE', '/api/auth/slack');
export const updateAccount = (body: AccountPatch) => request<AccountOut>('PATCH', '/api/account', { body });
export const testSlack = () => request<SlackTestOut>('POST', '/api/account/slack/test');
