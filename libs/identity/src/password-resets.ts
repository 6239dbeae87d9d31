import type { Collection, DocumentStore } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';
import { createLoginLimits } from './login-limits.ts';
import { isLinkOpen, LINK_LIFETIME_MS, newLink, readLink } from './one-time-links.ts';
import { PASSWORD_RESETS, type PasswordResetRecord } from './records/password-reset.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { withNotices } from './user-notices.ts';

/**
 * Each attempt to send the email creates another link; this many work, the newest ones. Within the
 * lifetime of a link, the limits allow fewer, so that nobody can invalidate the links of a user by
 * requesting others.
 */
const MAX_LINKS = 100;

/**
 * Creates the link of a password reset, for the email.
 * @param expiresAt of the request, in ISO 8601
 */
export async function issueResetLink(
  users: Pick<Collection<UserRecord>, 'updateOne'>,
  userId: string,
  expiresAt: string,
): Promise<string> {
  const { token, link } = newLink(userId, expiresAt);
  await users.updateOne({ _id: userId }, { $push: { resets: { $each: [link], $slice: -MAX_LINKS } } });
  return token;
}

/** Resets forgotten passwords. docs/reference/authentication.md#forgotten-passwords */
export function createPasswordResets({ store, now }: { store: DocumentStore; now: Clock }) {
  const users = store.collection<UserRecord>(USERS);
  const requests = store.collection<PasswordResetRecord>(PASSWORD_RESETS);
  const take = createLoginLimits({ store, now, purpose: 'reset' });

  return {
    /**
     * Requests an email with a link, which the dispatcher sends if the address is that of a user.
     * Doesn't look for the user, so neither the response nor its duration reveals whether there is
     * one.
     * @throws AppError `RATE_LIMITED`
     */
    async request({ email, network }: { email: string; network: string }): Promise<void> {
      await take({ email, network });
      const expireAt = isoTime(now() + LINK_LIFETIME_MS);
      await requests.insertOne({ _id: randomUUID(), email, requestedAt: isoTime(now()), expireAt });
    },

    /**
     * Returns the user whose link this is; `null` for a link that doesn't work. Uses nothing up.
     */
    async find(token: string): Promise<UserRecord | null> {
      const parts = readLink(token);
      const user = parts && (await users.findOne({ _id: parts.ownerId }));
      return user && isLinkOpen(user.resets, parts.hash, isoTime(now())) ? user : null;
    },

    /**
     * Sets the new password and uses up all links of the user. Of several concurrent calls, on any
     * number of processes, one succeeds: each replaces the password hash that it found.
     */
    async complete(user: UserRecord, passwordHash: string): Promise<UserRecord | null> {
      const { _id, email } = user;
      return users.findOneAndUpdate(
        { _id, email, passwordHash: user.passwordHash },
        withNotices({ $set: { passwordHash }, $unset: { resets: true, mustChangePassword: true } }, [
          { kind: 'password_reset', at: isoTime(now()), to: [email] },
        ]),
      );
    },
  };
}
