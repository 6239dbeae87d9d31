import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { hashToken, isNotOpened, type SecretBox } from '@svcforms/signing';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { RECOVERY_CODES, type RecoveryCodeRecord } from './records/recovery-code.ts';
import { FIRST_USER_ID, USERS, type UserRecord } from './records/user.ts';
import { withNotices } from './user-notices.ts';

const PERIOD_SECONDS = 30;
/** Accepts the code before and after the current one, for clocks that differ. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES_COUNT = 10;
/** Crockford's alphabet: 16 characters have 80 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_CODE_LENGTH = 16;

/** The context in which a user's secret is sealed. */
export const totpSecretContext = (userId: string): string => `users/${userId}/totp`;

/** How a second factor was proven. */
export type SecondFactor = 'code' | 'recovery code';

/** A code that was right and unused when it was found. */
interface FoundCode {
  factor: SecondFactor;
  /** Uses it up. Of several concurrent calls, on any number of processes, one returns true. */
  use(): Promise<boolean>;
}

/**
 * Two-factor authentication with codes of an authenticator app (RFC 6238) and recovery codes. Every
 * code works once, on any number of processes: accepting it is one conditional write.
 * docs/reference/authentication.md#two-factor-authentication
 */
export function createTotp(deps: {
  store: Pick<DocumentStore, 'collection'>;
  secretBox: SecretBox;
  now: Clock;
}) {
  const { store, secretBox, now } = deps;
  const users = store.collection<UserRecord>(USERS);
  const recoveryCodes = store.collection<RecoveryCodeRecord>(RECOVERY_CODES);

  const totpOf = (secret: string, user: Pick<UserRecord, 'email'>, issuer = 'SvcForms') =>
    new TOTP({ issuer, label: user.email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

  /** Returns the time step of a code that is valid now; `null` for any other text. */
  function stepOf(user: UserRecord, sealed: string, code: string): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const secret = secretBox.open(sealed, totpSecretContext(user._id));
    const delta = totpOf(secret, user).validate({ token: code, window: WINDOW, timestamp: now() });
    return delta === null ? null : Math.floor(now() / 1000 / PERIOD_SECONDS) + delta;
  }

  function checkedStep(...args: Parameters<typeof stepOf>): number | null {
    try {
      return stepOf(...args);
    } catch (error) {
      if (isNotOpened(error)) throw lostSecret(error);
      throw error;
    }
  }

  /** Replaces the recovery codes, and returns them: only their hashes are stored. */
  async function replaceRecoveryCodes({ _id: userId, accountId }: UserRecord): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES_COUNT }, newRecoveryCode);
    await recoveryCodes.deleteMany({ userId });
    await recoveryCodes.insertMany(codes.map((code) => ({ _id: codeId(userId, code), accountId, userId })));
    return codes;
  }

  return {
    /** Starts the setup. It ends with a code, so that nobody locks themselves out. */
    async begin(user: UserRecord): Promise<{ secret: string; uri: string } | null> {
      const secret = new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32;
      const totpPending = secretBox.seal(secret, totpSecretContext(user._id));
      const isBegun = await users.updateOne({ _id: user._id, totp: null }, { $set: { totpPending } });
      return isBegun ? { secret, uri: totpOf(secret, user).toString() } : null;
    },

    /** Returns the recovery codes; `null` if the code is wrong or there is nothing to confirm. */
    async confirm(user: UserRecord, code: string): Promise<string[] | null> {
      const { _id, totpPending } = user;
      const lastStep = totpPending === undefined ? null : stepOf(user, totpPending, code);
      if (totpPending === undefined || lastStep === null) return null;
      const isEnabled = await users.updateOne(
        { _id, totpPending, totp: null },
        withNotices(
          {
            $set: { totp: { secret: totpPending, enabledAt: isoTime(now()), lastStep } },
            $unset: { totpPending: true },
          },
          [{ kind: 'totp_enabled', at: isoTime(now()), to: [user.email] }],
        ),
      );
      // Afterwards, because another call may have enabled it in between, with other codes.
      return isEnabled ? replaceRecoveryCodes(user) : null;
    },

    /**
     * Finds a code of the app or a recovery code, without using it up. Returns `null` for one that
     * is wrong or used.
     * @throws AppError `UNAUTHORIZED` if the encryption key of the secret was lost
     */
    async find(user: UserRecord, code: string): Promise<FoundCode | null> {
      const { _id, email, totp } = user;
      if (!totp) return null;
      const plain = code.replace(/[\s-]/g, '').toUpperCase();
      const step = checkedStep(user, totp.secret, plain);
      if (step !== null) {
        const use = () =>
          users.updateOne(
            { _id, 'totp.secret': totp.secret, 'totp.lastStep': { $lt: step } },
            { $set: { 'totp.lastStep': step } },
          );
        return step > totp.lastStep ? { factor: 'code', use } : null;
      }
      if (plain.length !== RECOVERY_CODE_LENGTH) return null;
      // The first user of another installation got another id when the account moved here.
      const ids = [_id, FIRST_USER_ID].map((userId) => codeId(userId, plain));
      const stored = { _id: { $in: ids }, userId: _id };
      if (!(await recoveryCodes.findOne(stored))) return null;
      const use = async () => {
        if (!(await recoveryCodes.deleteOne(stored))) return false;
        await users.updateOne(
          { _id },
          withNotices({}, [{ kind: 'recovery_code_used', at: isoTime(now()), to: [email] }]),
        );
        return true;
      };
      return { factor: 'recovery code', use };
    },

    /** Returns whether it was on. */
    disable: (user: UserRecord): Promise<boolean> => disableTotp(store, user, isoTime(now())),

    replaceRecoveryCodes,
    recoveryCodesLeft: (userId: string): Promise<number> => recoveryCodes.count({ userId }),
  };
}

export type Totp = ReturnType<typeof createTotp>;

/** Turns it off and deletes the recovery codes. Returns whether it was on. @param at in ISO 8601 */
export async function disableTotp(
  store: Pick<DocumentStore, 'collection'>,
  { _id, email }: Pick<UserRecord, '_id' | 'email'>,
  at: string,
): Promise<boolean> {
  const isDisabled = await store
    .collection<UserRecord>(USERS)
    .updateOne(
      { _id, totp: { $exists: true } },
      withNotices({ $unset: { totp: true, totpPending: true } }, [
        { kind: 'totp_disabled', at, to: [email] },
      ]),
    );
  if (isDisabled) await store.collection<RecoveryCodeRecord>(RECOVERY_CODES).deleteMany({ userId: _id });
  return isDisabled;
}

const lostSecret = (cause: Error) =>
  new AppError(
    'UNAUTHORIZED',
    "The server can't check codes of your app: no encryption key of the server opens its secret. Enter a recovery code, or ask the operator to turn off your two-factor authentication.",
    { cause, headers: { 'WWW-Authenticate': 'Bearer' } },
  );

function newRecoveryCode(): string {
  const text = [...randomBytes(RECOVERY_CODE_LENGTH)].map((byte) => ALPHABET[byte & 31]).join('');
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

const codeId = (userId: string, code: string): string =>
  hashToken(`${userId} ${code.replaceAll('-', '').toUpperCase()}`);
