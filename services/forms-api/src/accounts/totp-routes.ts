import {
  AccountOut,
  LoginPolicyPatch,
  MeOut,
  SecondFactorIn,
  TotpConfirmIn,
  TotpOut,
  TotpRecoveryCodesOut,
  TotpSetupOut,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createLoginPolicy } from './login-policy.ts';
import type { createLogins } from './login.ts';
import type { createOwnTotp } from './totp.ts';

interface TotpRoutesDeps {
  logins: Pick<ReturnType<typeof createLogins>, 'secondFactor'>;
  ownTotp: ReturnType<typeof createOwnTotp>;
  policy: ReturnType<typeof createLoginPolicy>;
}

const self = { access: 'session', needsRecentLogin: true } as const;

/**
 * Two-factor authentication: the second step of logins, its setup, and whether an account requires
 * it.
 */
export function totpRoutes({ logins, ownTotp, policy }: TotpRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/auth/login/second-factor', summary: 'Finish a login with a code', operationId: 'logInWithCode', access: 'public', sameOrigin: true,
      description: 'After `SECOND_FACTOR_REQUIRED`. Each code works once. Wrong codes are limited like wrong passwords.',
      body: SecondFactorIn, status: 200, response: MeOut, errors: ['UNAUTHORIZED', 'SINGLE_SIGN_ON_REQUIRED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'], replyHeaders: ['Set-Cookie'], audit: 'login.succeeded', handler: logins.secondFactor }),
    route({ method: 'GET', path: '/api/auth/totp', summary: 'Get your two-factor authentication', operationId: 'getTotp', access: 'session',
      status: 200, response: TotpOut, handler: ownTotp.get }),
    route({ ...self, method: 'POST', path: '/api/auth/totp', summary: 'Start setting up two-factor authentication', operationId: 'beginTotp',
      description: 'Returns a new secret for the authenticator app. Nothing changes until a code confirms it.',
      status: 200, response: TotpSetupOut, errors: ['CONFLICT', 'SINGLE_SIGN_ON_REQUIRED'], audit: 'totp.enabled', handler: ownTotp.begin }),
    route({ ...self, method: 'POST', path: '/api/auth/totp/confirm', summary: 'Turn on two-factor authentication', operationId: 'confirmTotp',
      description: 'Requires a code from the app. Ends your other sessions. The response has the recovery codes, once.',
      body: TotpConfirmIn, status: 200, response: TotpRecoveryCodesOut, errors: ['CONFLICT', 'SINGLE_SIGN_ON_REQUIRED'], audit: 'totp.enabled', handler: ownTotp.confirm }),
    route({ ...self, method: 'POST', path: '/api/auth/totp/recovery-codes', summary: 'Replace your recovery codes', operationId: 'replaceRecoveryCodes',
      status: 200, response: TotpRecoveryCodesOut, errors: ['CONFLICT'], audit: 'totp.recovery_codes_replaced', handler: ownTotp.newRecoveryCodes }),
    route({ ...self, method: 'DELETE', path: '/api/auth/totp', summary: 'Turn off two-factor authentication', operationId: 'disableTotp',
      status: 204, errors: ['CONFLICT'], audit: 'totp.disabled', handler: ownTotp.disable }),
    route({ method: 'PATCH', path: '/api/account/login-policy', summary: 'Change how users log in', operationId: 'changeLoginPolicy', access: { scope: 'users:manage' }, needsRecentLogin: true,
      description: 'Only owners can change it. To require a second factor, set up your own first; to require single sign-on, log in with it yourself.',
      body: LoginPolicyPatch, status: 200, response: AccountOut, errors: ['CONFLICT'], audit: 'account.login_policy_changed', handler: policy.change }),
  ];
}
