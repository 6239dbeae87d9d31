import { AppError, type InvitationIn, type PageQuery } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import {
  LINK_LIFETIME_MS,
  newLink,
  rightsOfRole,
  type Caller,
  type InvitationRecord,
  type RightsOf,
  type UserRecord,
} from '@svcforms/identity';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { countMails, insertOnce, type MailCounterRecord } from '@svcforms/records';
import { invitationOut } from './account-out.ts';
import { checkRights } from './grants.ts';
import { emailTaken } from './users.ts';

export interface InvitationsDeps {
  invitations: Collection<InvitationRecord>;
  users: Collection<UserRecord>;
  mailCounters: Collection<MailCounterRecord>;
  rights: RightsOf;
  /** The public origin. */
  baseUrl: string;
  /** Whether this installation sends email. Otherwise the inviter passes the link on. */
  sendsEmail: boolean;
  now: Clock;
}

/** An invitation that nobody accepted can be sent again for this time. */
const KEPT_MS = 30 * DAY_MS;
/** The limit of one account per day (UTC), because invitations are emails to strangers. */
const PER_ACCOUNT = 100;

/** Invitations to the caller's account. docs/reference/authentication.md#invitations */
export function createInvitations(deps: InvitationsDeps) {
  const { invitations, users, mailCounters, rights, baseUrl, sendsEmail, now } = deps;

  async function own(caller: Caller, invitationId: string): Promise<InvitationRecord> {
    const found = await invitations.findOne({ _id: invitationId, accountId: caller.accountId });
    if (!found) throw noInvitation();
    return found;
  }

  async function checkRole(caller: Caller, { role }: Pick<InvitationRecord, 'role'>): Promise<void> {
    checkRights(caller, await rights.ofCaller(caller), rightsOfRole(role), `A user who is ${role}`);
  }

  async function checkNoUser(email: string): Promise<void> {
    if (await users.findOne({ email })) throw emailTaken(undefined);
  }

  /** @throws AppError `RATE_LIMITED` */
  async function countEmail(accountId: string): Promise<void> {
    const today = await countMails(mailCounters, { accountId, kind: 'invitations', amount: 1, now: now() });
    if (today <= PER_ACCOUNT) return;
    const seconds = Math.ceil((DAY_MS - (now() % DAY_MS)) / 1000);
    throw new AppError('RATE_LIMITED', `An account can send ${PER_ACCOUNT} invitations a day`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** A new link, and what sending it changes in the invitation. Earlier links stop working. */
  function sending(invitationId: string) {
    const expiresAt = isoTime(now() + LINK_LIFETIME_MS);
    const { token, link } = newLink(invitationId, expiresAt);
    const values = {
      links: [link],
      sentAt: isoTime(now()),
      expiresAt,
      expireAt: isoTime(now() + KEPT_MS),
      ...(sendsEmail ? { mailOwedAt: isoTime(now()) } : {}),
    };
    return { values, url: `${baseUrl}/invitation#${token}` };
  }

  return {
    create: async (request: RouteRequest<unknown, InvitationIn>): Promise<Reply> => {
      const { body, caller, newId, note, audit } = request;
      await checkRole(caller, body);
      await checkNoUser(body.email);
      await countEmail(caller.accountId);
      const { accountId } = caller;
      // An expired one would be in the way of a new one.
      await invitations.deleteMany({ accountId, email: body.email, expiresAt: { $lte: isoTime(now()) } });
      const _id = newId('inv');
      const { values, url } = sending(_id);
      const record: InvitationRecord = {
        _id,
        accountId,
        email: body.email,
        role: body.role,
        invitedBy: caller.id,
        createdAt: isoTime(now()),
        ...values,
      };
      const stored = await insertUnlessInvited(invitations, record, checkNoUser);
      // The response with the link was lost, so this link replaces it.
      if (stored !== record) await invitations.updateOne({ _id, accountId }, { $set: values });
      note({ event: 'invitation.created', invitationId: _id });
      audit({
        target: { name: body.email },
        changes: changesBetween({}, record, { names: ['email', 'role'] }),
      });
      return {
        data: { ...invitationOut(record, isoTime(now())), link: url },
        headers: { Location: `/api/invitations/${_id}` },
      };
    },

    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(
        invitations,
        { accountId: caller.accountId },
        { prefix: 'inv', ...query },
      );
      return { data: items.map((each) => invitationOut(each, isoTime(now()))), pagination };
    },

    resend: async ({ params, caller, note, audit }: PathRequest<'invitationId'>): Promise<Reply> => {
      const found = await own(caller, params.invitationId);
      await checkRole(caller, found);
      await checkNoUser(found.email);
      await countEmail(caller.accountId);
      const { values, url } = sending(found._id);
      const sent = await invitations.findOneAndUpdate(
        // A link of another request, which is sending it too, must not stop working unused.
        { _id: found._id, accountId: caller.accountId, sentAt: found.sentAt },
        // The first sender may have lost the right to give this role.
        { $set: { ...values, invitedBy: caller.id } },
      );
      if (!sent) {
        await own(caller, found._id);
        throw new AppError('CONFLICT', 'Another request has just sent this invitation again');
      }
      note({ event: 'invitation.resent', invitationId: found._id });
      audit({ target: { name: found.email } });
      return { data: { ...invitationOut(sent, isoTime(now())), link: url } };
    },

    revoke: async ({ params, caller, note, audit }: PathRequest<'invitationId'>): Promise<Reply> => {
      const found = await own(caller, params.invitationId);
      await checkRole(caller, found);
      if (!(await invitations.deleteOne({ _id: found._id, accountId: caller.accountId }))) {
        throw noInvitation();
      }
      note({ event: 'invitation.revoked', invitationId: found._id });
      audit({ target: { name: found.email } });
      return {};
    },
  };
}

/** @throws AppError `CONFLICT` if the address has another invitation or a user */
async function insertUnlessInvited(
  invitations: Collection<InvitationRecord>,
  record: InvitationRecord,
  checkNoUser: (email: string) => Promise<void>,
): Promise<InvitationRecord> {
  const stored = await insertOnce(invitations, record).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('CONFLICT', 'This address has an invitation. Send it again, or revoke it first.');
  });
  try {
    // Somebody may have created the user since. That request looked for invitations afterwards.
    await checkNoUser(record.email);
  } catch (error) {
    await invitations.deleteOne({ _id: record._id, accountId: record.accountId });
    throw error;
  }
  return stored;
}

const noInvitation = () => new AppError('NOT_FOUND', 'There is no such invitation');
