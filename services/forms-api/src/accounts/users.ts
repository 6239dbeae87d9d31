import {
  AppError,
  type AuditChanges,
  validationFailed,
  type PageQuery,
  type Role,
  type UserIn,
  type UserPatch,
} from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import {
  deleteInvitationsOf,
  rightsOfRole,
  roleWithin,
  weakerRole,
  type ApiKeyRecord,
  type Caller,
  type ChainFinder,
  type InvitationRecord,
  type PasswordHasher,
  type RightsOf,
  type Sessions,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { insertOnce } from '@svcforms/records';
import { userOut } from './account-out.ts';
import type { EndCredentials } from './end-credentials.ts';
import { checkRights } from './grants.ts';
import { checkNewPassword } from './new-password.ts';
import { createSaveUser, type LetGo, type SaveUser } from './save-user.ts';

interface UsersDeps {
  users: Collection<UserRecord>;
  invitations: Pick<Collection<InvitationRecord>, 'deleteMany'>;
  keys: Pick<Collection<ApiKeyRecord>, 'updateMany'>;
  rights: RightsOf;
  chain: Pick<ChainFinder, 'chainOf'>;
  sessions: Pick<Sessions, 'endAll'>;
  endCredentials: EndCredentials;
  passwords: Pick<PasswordHasher, 'hash'>;
  letGo: LetGo;
  now: Clock;
}

/**
 * Others may change the same user at the same time. More conflicts than this have another cause.
 */
const SAVE_TRIES = 20;

/** Users of the caller's account. docs/reference/authentication.md#users-and-roles */
export function createUsers(deps: UsersDeps) {
  const { users, invitations, keys, rights, chain, sessions, endCredentials, passwords, letGo, now } = deps;
  async function ownUser(caller: Caller, userId: string): Promise<UserRecord> {
    const user = await users.findOne({ _id: userId, accountId: caller.accountId });
    if (!user) throw new AppError('NOT_FOUND', 'There is no such user');
    return user;
  }

  /**
   * Callers can't manage users with more rights, because they could then act as them. @throws
   * AppError `INSUFFICIENT_SCOPE`
   */
  async function checkRoles(caller: Caller, roles: readonly Role[]): Promise<void> {
    const own = await rights.ofCaller(caller);
    for (const role of roles) checkRights(caller, own, rightsOfRole(role), `A user who is ${role}`);
  }

  const saveUser = createSaveUser(deps);
  const save: SaveUser = (user, change) => saveUser(user, change).catch(refuseTakenEmail);

  return {
    create: async ({ body, caller, newId, note, audit }: RouteRequest<unknown, UserIn>): Promise<Reply> => {
      await checkRoles(caller, [body.role]);
      await checkNewPassword(body.password, body);
      const user: UserRecord = {
        _id: newId('usr'),
        accountId: caller.accountId,
        email: body.email,
        name: body.name,
        role: body.role,
        taskEmails: body.taskEmails,
        passwordHash: await passwords.hash(body.password, caller.accountId),
        credentialsFrom: roleWithin(await rights.ofCaller(caller)),
        createdAt: isoTime(now()),
      };
      const stored = await insertOnce(users, user).catch(refuseTakenEmail);
      await deleteInvitationsOf(invitations, stored);
      note({ event: 'user.created', userId: stored._id });
      audit({ changes: userChanges({}, stored) });
      return { data: userOut(stored), headers: { Location: `/api/users/${stored._id}` } };
    },

    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(
        users,
        { accountId: caller.accountId },
        { prefix: 'usr', ...query },
      );
      return { data: items.map(userOut), pagination };
    },

    change: async (request: PathRequest<'userId', unknown, UserPatch>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const { password, ...rest } = body;
      refuseOwnCredentials([...(await chain.chainOf(caller)), caller.authority], params.userId, body);
      const isOfCredentials = password !== undefined || body.email !== undefined;
      const own = roleWithin(await rights.ofCaller(caller));
      let change: Partial<UserRecord> | undefined;
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const user = await ownUser(caller, params.userId);
        await checkRoles(caller, [user.role, body.role ?? user.role]);
        if (!change && password !== undefined) await checkNewPassword(password, { ...user, ...rest });
        change ??= {
          ...rest,
          ...(password === undefined
            ? {}
            : { passwordHash: await passwords.hash(password, caller.accountId) }),
        };
        const credentialsFrom = isOfCredentials ? weakerRole(own, user.credentialsFrom) : undefined;
        const changed =
          Object.keys(change).length === 0
            ? user
            : await save(user, { ...change, ...(credentialsFrom && { credentialsFrom }) });
        if (!changed) continue;
        audit({
          ...(changed.role === user.role ? {} : { action: 'user.role_changed' as const }),
          changes: userChanges(user, changed, body),
        });
        if (password !== undefined) await sessions.endAll(user._id);
        note({ event: 'user.changed', userId: user._id });
        return { data: userOut(changed) };
      }
      throw new AppError('CONFLICT', 'Too many others are changing this user. Try again.');
    },

    remove: async ({ params, caller, note, audit }: PathRequest<'userId'>): Promise<Reply> => {
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const user = await ownUser(caller, params.userId);
        await checkRoles(caller, [user.role]);
        await keys.updateMany(
          { accountId: user.accountId, $or: [{ userId: user._id }, { createdBy: user._id }] },
          user.role === 'reviewer' ? { $set: { ofReviewer: true } } : { $unset: { ofReviewer: true } },
        );
        const isRemoved =
          user.role === 'owner'
            ? await letGo(user, (marked) => users.deleteOne(marked))
            : await users.deleteOne({ _id: user._id, role: user.role });
        if (!isRemoved) continue;
        audit({ target: { name: user.name } });
        // They already fail without their user; this deletes their records.
        await endCredentials(user._id);
        // Nobody is responsible for them anymore.
        await invitations.deleteMany({ invitedBy: user._id });
        note({ event: 'user.deleted', userId: user._id });
        return {};
      }
      throw new AppError('CONFLICT', 'Too many others are changing this user. Try again.');
    },
  };
}

/**
 * Changes for the audit log. A new password is listed without a value. `written`: the properties
 * that the request writes; absent: all.
 */
export function userChanges(before: Partial<UserRecord>, after: UserRecord, written?: object): AuditChanges {
  const { passwordHash: hashBefore, ...shownBefore } = before;
  const { passwordHash: hashAfter, ...shownAfter } = after;
  return changesBetween(
    { ...shownBefore, password: hashBefore },
    { ...shownAfter, password: hashAfter },
    { names: ['email', 'name', 'role', 'taskEmails'], hidden: ['password'], written },
  );
}

/**
 * A stolen session, or a key that it created, even through other keys, must not be enough to take
 * over the account. `callers`: the ids of everyone for whom the caller acts.
 * @throws AppError `VALIDATION_FAILED`
 */
function refuseOwnCredentials(
  callers: readonly (string | undefined)[],
  userId: string,
  body: UserPatch,
): void {
  if (!callers.includes(userId)) return;
  const message = 'must be changed with PATCH /api/auth/me and currentPassword when it is your own';
  const issues = (['email', 'password'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, message }));
  if (issues.length > 0) throw validationFailed(issues);
}

/** Emails are unique across accounts, because users log in with the email alone. */
export function emailTaken(cause: unknown): AppError {
  return new AppError('CONFLICT', 'A user with this email already exists', { cause });
}

export function refuseTakenEmail(error: unknown): never {
  throw isDuplicateKey(error) ? emailTaken(error) : error;
}
