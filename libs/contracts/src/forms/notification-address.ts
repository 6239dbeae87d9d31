import { z } from 'zod';
import { idOut, timeOrNullOut, timeOut } from '../api/schema-parts.ts';

export const ADDRESS_STATUSES = ['pending', 'verified', 'unsubscribed'] as const;

/** An address that forms of the account send notifications to. */
export const NotificationAddressOut = z
  .object({
    id: idOut('nad', 'Id of the address.'),
    email: z.string().meta({ description: 'The address, in lower case.', example: 'team@example.com' }),
    status: z.enum(ADDRESS_STATUSES).meta({
      description:
        '`verified` gets notifications; `pending` has not confirmed the verification email; `unsubscribed` wants none. Addresses of users of the account are verified.',
      example: 'verified',
    }),
    verifiedAt: timeOrNullOut('When it was confirmed; null where it was not, and for a user of the account.'),
    createdAt: timeOut('When a form first named it.'),
  })
  .meta({ id: 'NotificationAddress', description: 'An address for notifications about submissions.' });
export type NotificationAddressOut = z.output<typeof NotificationAddressOut>;

/**
 * Query of the pages that links in emails lead to. Email programs add parameters of their own:
 * those are ignored.
 */
export const EmailLinkQuery = z
  .object({
    token: z
      .string()
      .max(300)
      .default('')
      .meta({ description: 'What the email carried.', example: 'nad_….x' }),
  })
  .meta({ description: 'The link.' });
export type EmailLinkQuery = z.output<typeof EmailLinkQuery>;
