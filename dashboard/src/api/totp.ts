import type {
  AccountOut,
  LoginPolicyPatch,
  TotpConfirmIn,
  TotpOut,
  TotpRecoveryCodesOut,
  TotpSetupOut,
} from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

export const totpQuery = queryOptions({
  queryKey: ['totp'],
  queryFn: ({ signal }) => request<TotpOut>('GET', '/api/auth/totp', { signal }),
});

export const beginTotp = () => request<TotpSetupOut>('POST', '/api/auth/totp');
export const confirmTotp = (body: TotpConfirmIn) =>
  request<TotpRecoveryCodesOut>('POST', '/api/auth/totp/confirm', { body });
export const replaceRecoveryCodes = () =>
  request<TotpRecoveryCodesOut>('POST', '/api/auth/totp/recovery-codes');
export const disableTotp = () => request<void>('DELETE', '/api/auth/totp');
export const updateLoginPolicy = (body: LoginPolicyPatch) =>
  request<AccountOut>('PATCH', '/api/account/login-policy', { body });
