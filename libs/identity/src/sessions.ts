import { ulidTime } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { generateToken, hashToken } from '@svcforms/signing';
import { hash } from 'node:crypto';
import type { Caller } from './caller.ts';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { SESSIONS, type SessionRecord } from './records/session.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { isSessionAccepted, mustChangePassword, mustSetUpTotp, scopesOfSession } from './session-rights.ts';

/** The lifetime of a session, regardless of activity. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** A session without requests for this time has ended. */
const IDLE_MS = DAY_MS;
/** `lastSeenAt` is written at most once per session in this time. */
const SEEN_INTERVAL_MS = 5 * 60_000;

const TOKEN_PREFIX = 'svc_ses_';
const TOKEN_PATTERN = /^svc_ses_[A-Za-z0-9_-]{43}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_USER_AGENT = 300;

/** Whether the session is valid at `now`, in milliseconds since the epoch. */
export function isSessionOpen(
  { expireAt, lastSeenAt }: Pick<SessionRecord, 'expireAt' | 'lastSeenAt'>,
  now: number,
): boolean {
  const isIdle = lastSeenAt !== undefined && Date.parse(lastSeenAt) + IDLE_MS <= now;
  return Date.parse(expireAt) > now && !isIdle;
}

/** Returns the public id (`ses_…`), which is derived from the stored hash without revealing it. */
export function publicSessionId({ _id, createdAt }: Pick<SessionRecord, '_id' | 'createdAt'>): string {
  const bytes = hash('sha256', `session id ${_id}`, 'buffer');
  const random = [...bytes.subarray(0, 16)].map((byte) => CROCKFORD[byte & 31]).join('');
  return `ses_${ulidTime(Date.parse(createdAt))}${random}`;
}

/**
 * Sessions of users. The cookie has a token; the store has its hash. A session ends when it
 * expires, is idle, is ended, its user is deleted, or the account
 * requires single sign-on and a password opened it. docs/reference/authentication.md#sessions
 */
export function createSessions({
  store,
  now = Date.now,
  onError = () => {},
}: {
  store: DocumentStore;
  now?: Clock;
  /** Called when a `lastSeenAt` can't be stored; the request continues. */
  onError?: (error: unknown) => void;
}) {
  const sessions = store.collection<SessionRecord>(SESSIONS);
  const users = store.collection<UserRecord>(USERS);
  const findSession = createCachedFinder(sessions, '_id');
  const findUser = createCachedFinder(users, '_id');
  const findAccount = createCachedFinder(store.collection<AccountRecord>(ACCOUNTS), '_id');

  const findOpen = async (userId: string): Promise<SessionRecord[]> =>
    (await sessions.find({ userId })).filter((session) => isSessionOpen(session, now()));

  return {
    /**
     * Opens a session. The token isn't stored. `from`: the client, for the user's list of sessions,
     * and when the identity provider authenticated the user, if it says so (ISO 8601).
     */
    async open(
      user: Pick<UserRecord, '_id' | 'accountId'>,
      from: {
        ip?: string;
        userAgent?: string;
        via?: 'oidc' | undefined;
        authenticatedAt?: string | undefined;
      } = {},
    ): Promise<{ token: string; sessionId: string }> {
      const token = generateToken(TOKEN_PREFIX);
      const sessionId = hashToken(token);
      await sessions.insertOne({
        _id: sessionId,
        accountId: user.accountId,
        userId: user._id,
        createdAt: isoTime(now()),
        authenticatedAt: from.authenticatedAt ?? isoTime(now()),
        lastSeenAt: isoTime(now()),
        ...(from.ip === undefined ? {} : { ip: from.ip }),
        ...(from.userAgent === undefined ? {} : { userAgent: from.userAgent.slice(0, MAX_USER_AGENT) }),
        ...(from.via === undefined ? {} : { via: from.via }),
        expireAt: isoTime(now() + SESSION_SECONDS * 1000),
      });
      return { token, sessionId };
    },

    /**
     * Returns the caller of a token, with the scopes of the user's current role; `null` for an
     * invalid token.
     */
    async authenticate(token: string): Promise<Caller | null> {
      if (!TOKEN_PATTERN.test(token)) return null;
      const session = await findSession(hashToken(token));
      if (!session || !isSessionOpen(session, now())) return null;
      const user = await findUser(session.userId);
      if (!user) return null;
      const account = await findAccount(user.accountId);
      if (!isSessionAccepted(account, session)) return null;
      const { lastSeenAt, createdAt, authenticatedAt = createdAt } = session;
      if (lastSeenAt === undefined || lastSeenAt <= isoTime(now() - SEEN_INTERVAL_MS)) {
        // A store that refuses writes, such as on a full disk, can still be read.
        await sessions
          .updateOne({ _id: session._id }, { $set: { lastSeenAt: isoTime(now()) } })
          .catch(onError);
      }
      return {
        accountId: user.accountId,
        id: user._id,
        name: user.name,
        scopes: new Set(scopesOfSession(user, account, session)),
        session: {
          sessionId: session._id,
          role: user.role,
          authenticatedAt,
          ...(session.via === undefined ? {} : { via: session.via }),
          ...(mustChangePassword(user, session) ? { mustChangePassword: true } : {}),
          ...(mustSetUpTotp(user, account, session) ? { mustSetUpTotp: true } : {}),
        },
      };
    },

    /** Records that the user has confirmed the password. */
    async reauthenticated(sessionId: string): Promise<void> {
      await sessions.updateOne({ _id: sessionId }, { $set: { authenticatedAt: isoTime(now()) } });
    },

    /** Returns the user's valid sessions, newest first. */
    async list(userId: string): Promise<SessionRecord[]> {
      return (await findOpen(userId)).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },

    /** Ends all sessions of the account's users that the identity provider didn't open. */
    async endPasswordSessions(accountId: string): Promise<void> {
      await sessions.deleteMany({ accountId, via: null });
    },

    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
    },

    /** Ends the user's session with this public id. Returns its record; `null` if there is none. */
    async endOne(userId: string, publicId: string): Promise<SessionRecord | null> {
      const found = (await findOpen(userId)).find((session) => publicSessionId(session) === publicId);
      return found && (await sessions.deleteOne({ _id: found._id })) ? found : null;
    },

    /** Ends all sessions of the user, except one. */
    async endAll(userId: string, exceptSessionId?: string): Promise<void> {
      await sessions.deleteMany({
        userId,
        ...(exceptSessionId === undefined ? {} : { _id: { $ne: exceptSessionId } }),
      });
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
