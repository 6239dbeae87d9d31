import type { LoginIn, MeOut, MePatch, ReauthenticateIn, Scope, SessionOut } from '@svcforms/contracts';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from './client.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<MeOut>('GET', '/api/auth/me', { signal }),
  staleTime: 60_000,
});

export const logIn = (body: LoginIn) => call<MeOut>('POST', '/api/auth/login', { body });
export const logOut = () => call<void>('POST', '/api/auth/logout');
export const changeMe = (body: MePatch) => call<MeOut>('PATCH', '/api/auth/me', { body });

export const reauthenticate = (body: ReauthenticateIn) =>
  call<void>('POST', '/api/auth/reauthenticate', { body });

export const sessionListQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<SessionOut[]>('GET', '/api/auth/sessions', { signal }),
});
export const endSession = (sessionId: string) => call<void>('DELETE', `/api/auth/sessions/${sessionId}`);
/** The current one too. */
export const endAllSessions = () => call<void>('DELETE', '/api/auth/sessions');

/** Who has logged in. On every screen of the shell, whose route has waited for it. */
export function useMe(): MeOut {
  return useSuspenseQuery(meQuery).data;
}

export function hasScope(me: MeOut, scope: Scope | undefined): boolean {
  return scope === undefined || me.scopes.includes(scope) || me.scopes.includes('*');
}

/** Whether who has logged in may do what needs that scope. What one may not do is not offered. */
export function useMay(scope: Scope): boolean {
  return hasScope(useMe(), scope);
}
