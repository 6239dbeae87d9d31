import type {
  LoginIn,
  MeOut,
  MePatch,
  ReauthenticateIn,
  Scope,
  SecondFactorIn,
  SessionOut,
} from '@svcforms/contracts';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { isApiError } from './api-error.ts';
import { request } from './client.ts';

export const fetchMe = (signal?: AbortSignal) => request<MeOut>('GET', '/api/auth/me', { signal });

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => fetchMe(signal),
  staleTime: 60_000,
});

export const logIn = (body: LoginIn) => request<MeOut>('POST', '/api/auth/login', { body });
export const logInWithCode = (body: SecondFactorIn) =>
  request<MeOut>('POST', '/api/auth/login/second-factor', { body });
/** The challenge of a login that needs a code; `null` for any other error. */
export function challengeOf(error: unknown): string | null {
  if (!isApiError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') return null;
  const { challenge } = error.problem;
  return typeof challenge === 'string' ? challenge : null;
}
/** Whether the account accepts logins with the identity provider only. */
export const isSingleSignOnRequired = (error: unknown): boolean =>
  isApiError(error) && error.code === 'SINGLE_SIGN_ON_REQUIRED';
export const logOut = () => request<void>('POST', '/api/auth/logout');
export const updateMe = (body: MePatch) => request<MeOut>('PATCH', '/api/auth/me', { body });

export const reauthenticate = (body: ReauthenticateIn) =>
  request<void>('POST', '/api/auth/reauthenticate', { body });

export const sessionListQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<SessionOut[]>('GET', '/api/auth/sessions', { signal }),
});
export const endSession = (sessionId: string) => request<void>('DELETE', `/api/auth/sessions/${sessionId}`);
/** Ends the current session too. */
export const endAllSessions = () => request<void>('DELETE', '/api/auth/sessions');

/** The logged-in user. Only for screens inside the shell, whose route loads it. */
export function useMe(): MeOut {
  return useSuspenseQuery(meQuery).data;
}

export function hasScope(me: MeOut, scope: Scope | undefined): boolean {
  return scope === undefined || me.scopes.includes(scope) || me.scopes.includes('*');
}

/** Whether the logged-in user has the scope. The dashboard hides actions without it. */
export function useHasScope(scope: Scope): boolean {
  return hasScope(useMe(), scope);
}
