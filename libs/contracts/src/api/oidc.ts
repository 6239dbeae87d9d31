import { z } from 'zod';

/** Query of GET /api/auth/oidc/start. */
export const OidcStartQuery = z
  .object({
    to: z
      .string()
      .max(2000)
      .meta({ description: 'Path to open after the login.', example: '/forms' })
      .optional(),
    prompt: z
      .literal('login')
      .meta({
        description: 'Asks the identity provider to authenticate the user again, for a recent login.',
        example: 'login',
      })
      .optional(),
  })
  .meta({ description: 'Query of the start of a login with the identity provider.' });

/** Query of GET /api/auth/oidc/callback as the identity provider sends it. */
export const OidcCallbackQuery = z.record(z.string(), z.string().max(8000)).meta({
  description: 'What the identity provider sends with the user: a code or an error, and the state.',
});
