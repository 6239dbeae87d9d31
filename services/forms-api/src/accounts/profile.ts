import { AppError, isAppError, validationFailed, type MePatch } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import {
  clientNetwork,
  requireRecentLogin,
  type Reply,
  type RouteRequest,
  type SessionCaller,
} from '@svcforms/http';
import {
  deleteInvitationsOf,
  mustChangePassword,
  updateOfUser,
  weakerRole,
  type InvitationRecord,
  type PasswordHasher,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { CheckPassword, UserOf } from './check-password.ts';
import { checkNewPassword } from './new-password.ts';
import type { DescribeMe } from './open-session.ts';
import type { CheckPasswordAllowed } from './single-sign-on.ts';
import { refuseTakenEmail, userChanges } from './users.ts';

interface ProfileDeps {
  users: Collection<UserRecord>;
  invitations: Pick<Collection<InvitationRecord>, 'deleteMany'>;
  sessions: Pick<Sessions, 'endAll'>;
  describeMe: DescribeMe;
  checkPassword: CheckPassword;
  checkPasswordAllowed: CheckPasswordAllowed;
  userOf: UserOf;
  passwords: Pick<PasswordHasher, 'hash'>;
  now: Clock;
}

type ChangeRequest = RouteRequest<unknown, MePatch, SessionCaller>;

/** The logged-in user's own data. docs/reference/authentication.md#sessions */
export function createProfile(deps: ProfileDeps) {
  const { users, invitations, sessions, describeMe, userOf, passwords, now } = deps;

  const save = (filter: Filter<UserRecord>, user: UserRecord, change: Partial<UserRecord>) =>
    users.findOneAndUpdate(filter, updateOfUser(user, change, isoTime(now()))).catch(refuseTakenEmail);

  /**
   * Proves that the caller is the user: with the current password, or, where passwords don't count,
   * with a recent login at the identity provider. Returns what the change must still find: of two
   * concurrent changes, only the first succeeds, and none after the credentials were replaced.
   * @throws AppError `VALIDATION_FAILED`, `RATE_LIMITED`, `SINGLE_SIGN_ON_REQUIRED`,
   * `REAUTHENTICATION_REQUIRED`
   */
  async function prove(user: UserRecord, request: ChangeRequest): Promise<Filter<UserRecord>> {
    const { body, caller, ip } = request;
    const refusal = await deps.checkPasswordAllowed(user).then(() => null, onlyAppError);
    if (refusal) {
      if (body.password !== undefined) throw refusal;
      requireRecentLogin(caller, now());
      return { email: user.email, passwordHash: user.passwordHash };
    }
    const { currentPassword: password } = body;
    if (password === undefined) {
      const message = 'is required to change email or password';
      throw validationFailed([{ pointer: '/currentPassword', message }]);
    }
    const attempt = { email: user.email, password, network: clientNetwork(ip) };
    const { passwordHash } = await deps.checkPassword(attempt, '/currentPassword');
    return { email: user.email, passwordHash };
  }

  return {
    me: async ({ caller }: RouteRequest<unknown, unknown, SessionCaller>): Promise<Reply> => {
      return { data: await describeMe(await userOf(caller), caller.session) };
    },

    changeMe: async (request: ChangeRequest): Promise<Reply> => {
      const { body, caller, note, audit } = request;
      const { password, currentPassword: _, ...rest } = body;
      const user = await userOf(caller);
      if (password !== undefined) await checkNewPassword(password, { ...user, ...rest });
      if (mustChangePassword(user, caller.session)) checkReplacement(body);
      const needsProof = password !== undefined || rest.email !== undefined;
      const proven = needsProof && (await prove(user, request));
      const change: Partial<UserRecord> = {
        ...rest,
        ...(rest.email === undefined ? {} : { credentialsFrom: weakerRole(user.role, user.credentialsFrom) }),
        ...(password === undefined ? {} : { passwordHash: await passwords.hash(password, caller.accountId) }),
      };
      const isChange = Object.keys(change).length > 0;
      const changed = isChange ? await save({ _id: user._id, ...proven }, user, change) : user;
      if (!changed)
        throw new AppError('CONFLICT', 'The user was changed or deleted by another request. Try again.');
      if (changed.email !== user.email) await deleteInvitationsOf(invitations, changed);
      audit({ target: { id: user._id, name: changed.name }, changes: userChanges(user, changed, body) });
      if (password !== undefined) await sessions.endAll(user._id, caller.session.sessionId);
      note({ event: 'user.changed', userId: user._id });
      return { data: await describeMe(changed, caller.session) };
    },
  };
}

/** Returns an error for clients. @throws any other error */
function onlyAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  throw error;
}

/**
 * A generated password is in a file, or on a screen: it can't be kept, and changes first.
 * @throws AppError `PASSWORD_CHANGE_REQUIRED`, `VALIDATION_FAILED`
 */
function checkReplacement({ password, currentPassword }: MePatch): void {
  if (password === undefined) {
    const message = 'Your password was generated. Send a new one as password, with currentPassword.';
    throw new AppError('PASSWORD_CHANGE_REQUIRED', message);
  }
  if (password === currentPassword) {
    throw validationFailed([{ pointer: '/password', message: 'must differ from the generated password' }]);
  }
}
