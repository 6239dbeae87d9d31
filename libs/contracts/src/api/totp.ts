import { z } from 'zod';
import { timeOrNullOut } from './schema-parts.ts';

/** Response data of GET /api/auth/totp. */
export const TotpOut = z
  .object({
    isEnabled: z.boolean().meta({ description: 'Whether logins need a code.', example: true }),
    enabledAt: timeOrNullOut('When it was enabled; null if it isn’t.'),
    recoveryCodesLeft: z.int().meta({ description: 'Number of unused recovery codes.', example: 10 }),
    isRequired: z.boolean().meta({ description: 'Whether the account requires it.', example: false }),
  })
  .meta({ id: 'Totp', description: 'Two-factor authentication of the logged-in user.' });
export type TotpOut = z.output<typeof TotpOut>;

/** Response data of POST /api/auth/totp. */
export const TotpSetupOut = z
  .object({
    secret: z.string().meta({
      description: 'Secret for the authenticator app, in base32.',
      example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }),
    uri: z.string().meta({
      description: 'The same as an `otpauth://` URI, for a QR code.',
      example: 'otpauth://totp/SvcForms:ada%40example.com?issuer=SvcForms&secret=JBSWY3DPEHPK3PXP',
    }),
  })
  .meta({ id: 'TotpSetup', description: 'What the authenticator app needs.' });
export type TotpSetupOut = z.output<typeof TotpSetupOut>;

const code = z
  .string()
  .max(40)
  .meta({ description: 'Current code of the authenticator app.', example: '123456' });

/** Request body of POST /api/auth/totp/confirm. */
export const TotpConfirmIn = z
  .strictObject({ code })
  .meta({ id: 'TotpConfirmIn', description: 'A code that proves that the app is set up.' });
export type TotpConfirmIn = z.output<typeof TotpConfirmIn>;

/** Response data of confirming the setup and of new recovery codes. */
export const TotpRecoveryCodesOut = z
  .object({
    recoveryCodes: z.array(z.string()).meta({
      description: 'Codes that replace a code of the app, each once. They are only in this response.',
      example: ['7H2K-9QWE-3RTY-5MNB'],
    }),
  })
  .meta({ id: 'TotpRecoveryCodes', description: 'New recovery codes.' });
export type TotpRecoveryCodesOut = z.output<typeof TotpRecoveryCodesOut>;

/** Request body of POST /api/auth/login/second-factor. */
export const SecondFactorIn = z
  .strictObject({
    challenge: z.string().max(100).meta({
      description: 'The `challenge` of the problem `SECOND_FACTOR_REQUIRED`. It works for 5 minutes.',
      example: 'svc_2fa_…',
    }),
    code: code.meta({
      description: 'Current code of the authenticator app, or a recovery code.',
      example: '123456',
    }),
  })
  .meta({ id: 'SecondFactorIn', description: 'The second step of a login.' });
export type SecondFactorIn = z.output<typeof SecondFactorIn>;

/** Request body of PATCH /api/account/login-policy, and response data. */
export const LoginPolicyPatch = z
  .strictObject({
    secondFactorRequired: z
      .boolean()
      .meta({
        description: 'Whether users must set up two-factor authentication before they can do anything else.',
        example: true,
      })
      .optional(),
    singleSignOnRequired: z
      .boolean()
      .meta({
        description:
          'Whether users can log in with the identity provider only. Turning it on ends all sessions that were opened with a password.',
        example: true,
      })
      .optional(),
  })
  .meta({ id: 'LoginPolicyPatch', description: 'How users of the account log in. Only owners change it.' });
export type LoginPolicyPatch = z.output<typeof LoginPolicyPatch>;
