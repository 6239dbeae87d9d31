import type { TotpRecoveryCodesOut, TotpSetupOut } from '@svcforms/contracts';
import { Secret, TOTP } from 'otpauth';
import type { openFormsApi } from './fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

/** The code that an authenticator app shows at a time in milliseconds since the epoch. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Sets up two-factor authentication, with a code of half a minute ago. */
export async function enableTotp(api: Api, headers: { cookie: string }) {
  const { body } = await api.visitor.post<TotpSetupOut>('/api/auth/totp', { headers, expect: 200 });
  const { secret, uri } = body.data;
  const confirmed = await api.visitor.post<TotpRecoveryCodesOut>('/api/auth/totp/confirm', {
    body: { code: codeAt(secret, api.clock.now - 30_000) },
    headers,
    expect: 200,
  });
  return { secret, uri, recoveryCodes: confirmed.body.data.recoveryCodes };
}
