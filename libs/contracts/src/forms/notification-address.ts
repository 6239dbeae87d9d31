import { z } from 'zod';
import { idOut, timeOrNullOut, timeOut } from '../api/schema-parts.ts';

const ADDRESS_STATUSES = ['pending', 'verified', 'unsubscribed'] as const;

/** An email address that receives notifications of the account's forms. */
export const NotificationAddressOut = z
  .object({
    id: idOut('nad', 'Id of the address.'),
    email: z.string().meta({ description: 'Email address, in lower case.', example: 'team@example.com' }),
    status: z.enum(ADDRESS_STATUSES).meta({
      description:
        '`verified`: gets notifications. `pending`: the verification email is not confirmed. `unsubscribed`: gets none. Addresses of users of the account are verified.',
      example: 'verified',
    }),
    verifiedAt: timeOrNullOut(
      'When the address was confirmed; null if it was not, and for a user of the account.',
    ),
    createdAt: timeOut('When a form first named the address.'),
  })
  .meta({ id: 'NotificationAddress', description: 'An email address for notifications about submissions.' });
export type NotificationAddressOut = z.output<typeof NotificationAddressOut>;

/**
 * Query of the pages that the links in emails open. Unknown parameters are ignored, because email
 * programs add their own.
 */
export const EmailLinkQuery = z
  .object({
    token: z
      .string()
      .max(300)
      .default('')
      .meta({ description: 'Token of the link in the email.', example: 'nad_….x' }),
  })
  .meta({ description: 'Parameters of the link.' });
export type EmailLinkQuery = z.output<typeof EmailLinkQuery>;
