import { z } from 'zod';
import { LoginIn, newPassword } from './account.ts';

/** Response data of GET /api/auth/methods: what the login screen offers. */
export const LoginMethodsOut = z
  .object({
    passwordReset: z.enum(['email', 'operator']).meta({
      description:
        'How a forgotten password is reset: by a link in an email, or, if the installation sends no email, by its operator with the admin command.',
      example: 'email',
    }),
    singleSignOn: z.boolean().meta({
      description: 'Whether users can log in with an identity provider, at `/api/auth/oidc/start`.',
      example: false,
    }),
  })
  .meta({ id: 'LoginMethods', description: 'What the login screen offers.' });
export type LoginMethodsOut = z.output<typeof LoginMethodsOut>;

/** Request body of POST /api/auth/password-resets. Any text is accepted, like in a login. */
export const PasswordResetRequestIn = LoginIn.pick({ email: true }).meta({
  id: 'PasswordResetRequestIn',
  description: 'Whose password to reset.',
});
export type PasswordResetRequestIn = z.output<typeof PasswordResetRequestIn>;

/** Request body of POST /api/auth/password-resets/confirm. */
export const PasswordResetIn = z
  .strictObject({
    token: z
      .string()
      .max(300)
      .meta({ description: 'The part of the link in the email after `#`.', example: 'usr_….x' }),
    password: newPassword,
  })
  .meta({ id: 'PasswordResetIn', description: 'The link in the email, and the new password.' });
export type PasswordResetIn = z.output<typeof PasswordResetIn>;
