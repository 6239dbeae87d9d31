import {
  AppError,
  validationFailed,
  type SlackConnectIn,
  type SlackConnectionOut,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest, SessionCaller } from '@svcforms/http';
import {
  accountOfInstallation,
  SLACK_CONNECTION,
  type AccountRecord,
  type UserRecord,
} from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import { createSlackApi, createSlackMembers, readSlackLink, type SlackConfig } from '@svcforms/slack';
import type { UserOf } from './check-password.ts';

interface SlackConnectionsDeps {
  /** `null` without a Slack app. */
  slack: SlackConfig | null;
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  userOf: UserOf;
  secretBox: Pick<SecretBox, 'open'>;
  client: Pick<GuardedClient, 'post'>;
  now: Clock;
}

/**
 * Connects users with their Slack users. The link, which only the Slack user sees, proves who
 * clicked in Slack; the session proves who the user is; and a member of the app's workspace must
 * have the same address in both, so that a forwarded link connects nobody else. ADR 0063
 */
export function createSlackConnections(deps: SlackConnectionsDeps) {
  const { slack, accounts, users, userOf, secretBox, client, now } = deps;
  const members = slack && createSlackMembers(createSlackApi(slack, { client, now }));

  /** Whether the Slack app belongs to the account. */
  const isAvailableTo = async (accountId: string): Promise<boolean> =>
    slack !== null && (await accountOfInstallation(slack.accountId, accounts)) === accountId;

  const connectionOf = (
    { slackUser, slackLinkedAt }: Pick<UserRecord, 'slackUser' | 'slackLinkedAt'>,
    isAvailable: boolean,
  ): SlackConnectionOut => ({
    isAvailable,
    slackUserId: slackUser?.split('|')[1] ?? null,
    connectedAt: (slackUser !== undefined && slackLinkedAt) || null,
  });

  /** Returns the Slack user of the link. @throws AppError `VALIDATION_FAILED` */
  function slackUserOf(token: string): string {
    const link = readSlackLink(secretBox, token);
    if (!link || link.expiresAt <= isoTime(now()))
      throw refused('is not a valid link, or has expired; click the button in Slack again');
    return link.slackUser;
  }

  /** @throws AppError `VALIDATION_FAILED` unless it is a member with this address, `UNAVAILABLE` */
  async function checkMember(slackUser: string, email: string): Promise<void> {
    const found = (await members?.find(slackUser)) ?? { member: null };
    if ('error' in found)
      throw new AppError('UNAVAILABLE', `Slack didn't say who you are (${found.error}). Try again.`);
    if (!found.member) throw refused('belongs to no member of the workspace of the Slack app');
    if (found.member.profile?.email?.trim().toLowerCase() !== email)
      throw refused(
        `belongs to a Slack user with another email address than yours, ${email}; use the same in both`,
      );
  }

  return {
    isAvailableTo,

    get: async ({ caller }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      return { data: connectionOf(await userOf(caller), await isAvailableTo(caller.accountId)) };
    },

    connect: async (request: RouteRequest<unknown, SlackConnectIn, SessionCaller>): Promise<Reply> => {
      const { body, caller, note, audit } = request;
      if (!(await isAvailableTo(caller.accountId)))
        throw new AppError('CONFLICT', 'Your account has no Slack app');
      const slackUser = slackUserOf(body.token);
      const user = await userOf(caller);
      await checkMember(slackUser, user.email);
      const slackLinkedAt = isoTime(now());
      const { via } = caller.session;
      try {
        // The address must still be the one that was compared.
        const connected = await users.findOneAndUpdate(
          { _id: user._id, email: user.email },
          {
            $set: { slackUser, slackLinkedAt, slackLinkedVia: via },
            ...(via === undefined && { $unset: { slackLinkedVia: true } }),
          },
        );
        if (!connected) throw new AppError('CONFLICT', 'Your user was changed meanwhile. Try again.');
      } catch (error) {
        throw isDuplicateKey(error)
          ? new AppError(
              'CONFLICT',
              'This Slack user is connected to another user; disconnect it there first',
            )
          : error;
      }
      note({ event: 'slack.connected', userId: user._id });
      audit({ target: { id: user._id, name: user.name } });
      return { data: connectionOf({ slackUser, slackLinkedAt }, true) };
    },

    disconnect: async ({
      caller,
      note,
      audit,
    }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      const before = await users.findOneAndUpdate(
        { _id: caller.id, slackUser: { $exists: true } },
        { $unset: SLACK_CONNECTION },
        { returning: 'before' },
      );
      if (!before) audit(null);
      else audit({ target: { id: before._id, name: before.name } });
      note({ event: 'slack.disconnected', userId: caller.id });
      return {};
    },
  };
}

const refused = (message: string) => validationFailed([{ pointer: '/token', message }]);
