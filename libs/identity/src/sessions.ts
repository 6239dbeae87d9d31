import { ulidTime } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { generateToken, hashToken } from '@svcforms/signing';
import { hash } from 'node:crypto';
import { scopesOfRole, type Caller } from './caller.ts';
import { SESSIONS, USERS, type SessionRecord, type UserRecord } from './records.ts';

/** How long a login lasts, whatever is done meanwhile. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** A session without a request for so long has ended. */
const IDLE_MS = 24 * 3600_000;
/** Requests within so long after a noted one aren't noted: at most one write per session and five minutes. */
const SEEN_EVERY_MS = 5 * 60_000;

const TOKEN_PREFIX = 'svc_ses_';
const TOKEN_FORM = /^svc_ses_[A-Za-z0-9_-]{43}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_USER_AGENT = 300;

/** Whether the session may still be used at `now`, in milliseconds since the epoch. */
export function isSessionOpen(
  { expireAt, lastSeenAt }: Pick<SessionRecord, 'expireAt' | 'lastSeenAt'>,
  now: number,
): boolean {
  const isIdle = lastSeenAt !== undefined && Date.parse(lastSeenAt) + IDLE_MS <= now;
  return Date.parse(expireAt) > now && !isIdle;
}

/** `ses_…`, the id that clients see: derived from the stored hash, which stays in the store. */
export function publicSessionId({ _id, createdAt }: Pick<SessionRecord, '_id' | 'createdAt'>): string {
  const bytes = hash('sha256', `session id ${_id}`, 'buffer');
  const random = [...bytes.subarray(0, 16)].map((byte) => CROCKFORD[byte & 31]).join('');
  return `ses_${ulidTime(Date.parse(createdAt))}${random}`;
}

/** Logins of users: a token in a cookie, kept as its hash. A session ends with its time, its user, disuse or by `end`. */
export function createSessions({ store, now = Date.now }: { store: DocumentStore; now?: () => number }) {
  const sessions = store.collection<SessionRecord>(SESSIONS);
  const users = store.collection<UserRecord>(USERS);
  const isoIn = (seconds: number) => new Date(now() + seconds * 1000).toISOString();

  const openOnes = async (userId: string): Promise<SessionRecord[]> =>
    (await sessions.find({ userId })).filter((session) => isSessionOpen(session, now()));

  return {
    /** Opens a session; the token is nowhere else. `from`: the client, for the user's list of sessions. */
    async open(
      user: Pick<UserRecord, '_id' | 'accountId'>,
      from: { ip?: string; userAgent?: string } = {},
    ): Promise<{ token: string; sessionId: string }> {
      const token = generateToken(TOKEN_PREFIX);
      const sessionId = hashToken(token);
      await sessions.insertOne({
        _id: sessionId,
        accountId: user.accountId,
        userId: user._id,
        createdAt: isoIn(0),
        authenticatedAt: isoIn(0),
        lastSeenAt: isoIn(0),
        ...(from.ip === undefined ? {} : { ip: from.ip }),
        ...(from.userAgent === undefined ? {} : { userAgent: from.userAgent.slice(0, MAX_USER_AGENT) }),
        expireAt: isoIn(SESSION_SECONDS),
      });
      return { token, sessionId };
    },

    /** The caller that a token belongs to, with what the user's role allows now; `null` for one that is not (or no more) valid. */
    async authenticate(token: string): Promise<Caller | null> {
      if (!TOKEN_FORM.test(token)) return null;
      const session = await sessions.findOne({ _id: hashToken(token) });
      if (!session || !isSessionOpen(session, now())) return null;
      const user = await users.findOne({ _id: session.userId });
      if (!user) return null;
      const { lastSeenAt, createdAt, authenticatedAt = createdAt } = session;
      if (lastSeenAt === undefined || lastSeenAt <= isoIn(-SEEN_EVERY_MS / 1000)) {
        await sessions.updateOne({ _id: session._id }, { $set: { lastSeenAt: isoIn(0) } });
      }
      return {
        accountId: user.accountId,
        id: user._id,
        name: user.name,
        scopes: new Set(scopesOfRole(user.role)),
        session: { sessionId: session._id, role: user.role, authenticatedAt },
      };
    },

    /** The password was given again. */
    async reauthenticated(sessionId: string): Promise<void> {
      await sessions.updateOne({ _id: sessionId }, { $set: { authenticatedAt: isoIn(0) } });
    },

    /** The user's sessions that can still be used, the newest first. */
    async list(userId: string): Promise<SessionRecord[]> {
      return (await openOnes(userId)).sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },

    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
    },

    /** Ends the user's session that clients see as `publicId`. @returns its record; `null` where there is none. */
    async endOne(userId: string, publicId: string): Promise<SessionRecord | null> {
      const found = (await openOnes(userId)).find((session) => publicSessionId(session) === publicId);
      return found && (await sessions.deleteOne({ _id: found._id })) ? found : null;
    },

    /** All of the user, but for the one that is to stay. */
    async endAll(userId: string, exceptSessionId?: string): Promise<void> {
      await sessions.deleteMany({
        userId,
        ...(exceptSessionId === undefined ? {} : { _id: { $ne: exceptSessionId } }),
      });
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
