import type { DocumentStore } from '@svcforms/document-store';
import { generateToken, hashToken } from '@svcforms/signing';
import { scopesOfRole, type Caller } from './caller.ts';
import { SESSIONS, USERS, type SessionRecord, type UserRecord } from './records.ts';

/** How long a login lasts, whatever is done meanwhile. */
export const SESSION_SECONDS = 7 * 24 * 3600;

const TOKEN_PREFIX = 'svc_ses_';
const TOKEN_FORM = /^svc_ses_[A-Za-z0-9_-]{43}$/;

/** Logins of users: a token in a cookie, kept as its hash. A session ends with its time, its user or by `end`. */
export function createSessions({ store, now = Date.now }: { store: DocumentStore; now?: () => number }) {
  const sessions = store.collection<SessionRecord>(SESSIONS);
  const users = store.collection<UserRecord>(USERS);
  const isoIn = (seconds: number) => new Date(now() + seconds * 1000).toISOString();

  return {
    /** Opens a session; the token is nowhere else. */
    async open(user: Pick<UserRecord, '_id' | 'accountId'>): Promise<{ token: string; sessionId: string }> {
      const token = generateToken(TOKEN_PREFIX);
      const sessionId = hashToken(token);
      await sessions.insertOne({
        _id: sessionId,
        accountId: user.accountId,
        userId: user._id,
        createdAt: isoIn(0),
        expireAt: isoIn(SESSION_SECONDS),
      });
      return { token, sessionId };
    },

    /** The caller that a token belongs to, with what the user's role allows now; `null` for one that is not (or no more) valid. */
    async authenticate(token: string): Promise<Caller | null> {
      if (!TOKEN_FORM.test(token)) return null;
      const session = await sessions.findOne({ _id: hashToken(token) });
      if (!session || session.expireAt <= isoIn(0)) return null;
      const user = await users.findOne({ _id: session.userId });
      if (!user) return null;
      return {
        accountId: user.accountId,
        id: user._id,
        scopes: new Set(scopesOfRole(user.role)),
        session: { sessionId: session._id, role: user.role },
      };
    },

    async end(sessionId: string): Promise<void> {
      await sessions.deleteOne({ _id: sessionId });
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
