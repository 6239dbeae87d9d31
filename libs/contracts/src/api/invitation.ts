import { z } from 'zod';
import { email, newPassword, ROLES, role, userName } from './account.ts';
import { idOut, timeOut } from './schema-parts.ts';

/** A pending invitation. See docs/reference/authentication.md#invitations. */
export const InvitationOut = z
  .object({
    id: idOut('inv', 'Id of the invitation.'),
    email: z.string().meta({ description: 'Invited email address.', example: 'ada@example.com' }),
    role: z.enum(ROLES).meta({ description: 'Role that the user will have.', example: 'reviewer' }),
    status: z.enum(['pending', 'expired']).meta({
      description: 'Whether the link still works. An expired invitation can be sent again.',
      example: 'pending',
    }),
    invitedBy: z.string().nullable().meta({
      description: 'Id of the user or API key that created it.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    createdAt: timeOut('When the invitation was created.'),
    expiresAt: timeOut('When the link stops working: one hour after it was last sent.'),
  })
  .meta({ id: 'Invitation', description: 'An invitation to the account that nobody has accepted yet.' });
export type InvitationOut = z.output<typeof InvitationOut>;

/** Response data of POST /api/invitations and of sending an invitation again. */
export const InvitationCreatedOut = InvitationOut.extend({
  link: z.string().nullable().meta({
    description:
      'Link that accepts the invitation, once. It is only in this response; null when a request is repeated with its Idempotency-Key.',
    example: 'https://forms.example.com/invitation#inv_….x',
  }),
}).meta({ id: 'InvitationCreated', description: 'A new invitation with its link.' });
export type InvitationCreatedOut = z.output<typeof InvitationCreatedOut>;

/** Request body of POST /api/invitations. */
export const InvitationIn = z
  .strictObject({ email, role })
  .meta({ id: 'InvitationIn', description: 'Whom to invite.' });
export type InvitationIn = z.output<typeof InvitationIn>;

const token = z
  .string()
  .max(300)
  .meta({ description: 'The part of the link after `#`.', example: 'inv_….x' });

/** Request body of POST /api/invitations/preview. */
export const InvitationPreviewIn = z
  .strictObject({ token })
  .meta({ id: 'InvitationPreviewIn', description: 'The link of an invitation.' });
export type InvitationPreviewIn = z.output<typeof InvitationPreviewIn>;

/** Response data of POST /api/invitations/preview. */
export const InvitationPreviewOut = z
  .object({
    email: z.string().meta({ description: 'Invited email address.', example: 'ada@example.com' }),
    role: z.enum(ROLES).meta({ description: 'Role that the user will have.', example: 'reviewer' }),
    accountName: z.string().meta({ description: 'Name of the account.', example: 'Analytical Engines Ltd' }),
    singleSignOnRequired: z.boolean().meta({
      description: 'Whether the invitation can only be accepted by a login with the identity provider.',
      example: false,
    }),
    expiresAt: timeOut('When the link stops working.'),
  })
  .meta({ id: 'InvitationPreview', description: 'What the invited person sees before accepting.' });
export type InvitationPreviewOut = z.output<typeof InvitationPreviewOut>;

/** Request body of POST /api/invitations/accept. */
export const InvitationAcceptIn = z
  .strictObject({ token, name: userName, password: newPassword })
  .meta({ id: 'InvitationAcceptIn', description: 'The link of an invitation, and the new user.' });
export type InvitationAcceptIn = z.output<typeof InvitationAcceptIn>;
