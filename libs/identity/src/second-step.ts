import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { generateToken, hashToken } from '@svcforms/signing';
import { createLoginLimits } from './login-limits.ts';
import { LOGIN_CHALLENGES, type LoginChallengeRecord } from './records/login-challenge.ts';
import { USERS, type UserRecord } from './records/user.ts';
import type { SecondFactor, Totp } from './totp.ts';
import { withNotices } from './user-notices.ts';

/** How long a user has to enter the code. */
const CHALLENGE_MS = 5 * 60_000;
/** The user gets an email after this many wrong codes since the last login, at most one a day. */
const NOTIFY_AFTER = 5;
const NOTIFY_EVERY_MS = DAY_MS;

/** What the client sends in the second step of a login. */
interface SecondStep {
  /** From the response to the first step. */
  challenge: string;
  code: string;
  /** The client's network, from `clientNetwork`. */
  network: string;
}

/**
 * The second step of a login. The first one, with the password, leads to a challenge that this step
 * uses up. Codes are limited like passwords, in counters of their own.
 */
export function createSecondStep(deps: { store: DocumentStore; totp: Pick<Totp, 'find'>; now: Clock }) {
  const { store, totp, now } = deps;
  const users = store.collection<UserRecord>(USERS);
  const challenges = store.collection<LoginChallengeRecord>(LOGIN_CHALLENGES);
  const take = createLoginLimits({ store, now, purpose: 'code' });

  async function notifyOfFailures({ _id, email }: UserRecord): Promise<void> {
    const dayAgo = isoTime(now() - NOTIFY_EVERY_MS);
    await users.updateOne(
      { _id, $or: [{ toldOfCodesAt: null }, { toldOfCodesAt: { $lte: dayAgo } }] },
      withNotices({ $set: { toldOfCodesAt: isoTime(now()) } }, [
        { kind: 'code_failures', at: isoTime(now()), to: [email] },
      ]),
    );
  }

  /** Takes the challenge out of the store. One of several concurrent calls gets it. */
  async function claim(challenge: string): Promise<LoginChallengeRecord | null> {
    const _id = hashToken(challenge);
    const found = await challenges.findOne({ _id });
    if (!found || found.expireAt <= isoTime(now())) return null;
    return (await challenges.deleteOne({ _id })) ? found : null;
  }

  return {
    /** Creates the challenge of a user who has entered the password. */
    async challenge({ _id: userId, accountId, passwordHash }: UserRecord): Promise<string> {
      const token = generateToken('svc_2fa_');
      await challenges.insertOne({
        _id: hashToken(token),
        accountId,
        userId,
        passwordProof: hashToken(passwordHash),
        expireAt: isoTime(now() + CHALLENGE_MS),
      });
      return token;
    },

    /**
     * Returns the user of a challenge; `null` if it has expired, was used, or the password changed.
     */
    async userOf(challenge: string): Promise<UserRecord | null> {
      const found = await challenges.findOne({ _id: hashToken(challenge) });
      if (!found || found.expireAt <= isoTime(now())) return null;
      const user = await users.findOne({ _id: found.userId });
      return user?.totp && hashToken(user.passwordHash) === found.passwordProof ? user : null;
    },

    /**
     * Uses up the challenge, and then the code: several requests with one challenge use up one code
     * between them.
     * @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`
     */
    async complete(user: UserRecord, { challenge, code, network }: SecondStep): Promise<SecondFactor> {
      const ticket = await take({ email: user.email, network });
      const found = await totp.find(user, code);
      if (!found) {
        if (ticket.attempts >= NOTIFY_AFTER) await notifyOfFailures(user);
        throw wrongCode();
      }
      const claimed = await claim(challenge);
      if (!claimed) throw expiredLogin();
      if (!(await found.use())) {
        // Another login used the code in the meantime. The user may still enter the next one.
        await challenges.insertOne(claimed);
        throw wrongCode();
      }
      await ticket.succeed();
      return found.factor;
    },
  };
}

const refused = (message: string) =>
  new AppError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });

const wrongCode = () => refused('The code is wrong or was used before');

/** The error for a challenge that has expired, was used, or belongs to an earlier password. */
export const expiredLogin = () => refused('The login has expired. Start again with the password.');
