import { AppError, type PageQuery, type Role, type UserIn, type UserPatch } from '@svcforms/contracts';
import { isDuplicateKey, type Collection, type Filter } from '@svcforms/document-store';
import { findPage, type Reply, type RouteRequest } from '@svcforms/http-kit';
import { hashPassword, scopesOfRole, type Caller, type Sessions, type UserRecord } from '@svcforms/identity';
import { insertOnce } from '@svcforms/records';
import { userOut } from './account-out.ts';
import { checkGrant } from './grants.ts';

export interface UsersDeps {
  users: Collection<UserRecord>;
  sessions: Pick<Sessions, 'endAll'>;
  /** Makes a change by which an owner ceases to be one, unless it is the last; see `createOwners`. */
  letGo: <T>(owner: UserRecord, change: (marked: Filter) => Promise<T | null | false>) => Promise<T | null>;
  now: () => number;
}

/** Others may change the role of the same user meanwhile; after so many, something else is wrong. */
const SAVE_TRIES = 20;

/** Users of the caller's account. contract: api.md §2 */
export function createUsers({ users, sessions, letGo, now }: UsersDeps) {
  async function ownUser(caller: Caller, userId: string): Promise<UserRecord> {
    const user = await users.findOne({ _id: userId, accountId: caller.accountId });
    if (!user) throw new AppError('NOT_FOUND', 'There is no such user');
    return user;
  }

  /** Whoever sets how somebody logs in could log in as that one. */
  const checkRole = (caller: Caller, role: Role) =>
    checkGrant(caller, scopesOfRole(role), `A user who is ${role}`);

  async function save(user: UserRecord, change: Partial<UserRecord>): Promise<UserRecord | null> {
    const update = { $set: change, $unset: { leaving: true as const } };
    const ceasesToBeOwner = user.role === 'owner' && (change.role ?? 'owner') !== 'owner';
    try {
      return ceasesToBeOwner
        ? await letGo(user, (marked) => users.findOneAndUpdate(marked, update))
        : await users.findOneAndUpdate({ _id: user._id, role: user.role }, { $set: change });
    } catch (error) {
      throw isDuplicateKey(error) ? emailTaken(error) : error;
    }
  }

  return {
    create: async ({ body, caller, newId, note }: RouteRequest<unknown, UserIn>): Promise<Reply> => {
      checkRole(caller, body.role);
      const user: UserRecord = {
        _id: newId('usr'),
        accountId: caller.accountId,
        email: body.email,
        name: body.name,
        role: body.role,
        taskEmails: body.taskEmails,
        passwordHash: await hashPassword(body.password),
        createdAt: new Date(now()).toISOString(),
      };
      try {
        const stored = await insertOnce(users, user);
        note({ event: 'user.created', userId: stored._id });
        return { data: userOut(stored), headers: { Location: `/api/users/${stored._id}` } };
      } catch (error) {
        throw isDuplicateKey(error) ? emailTaken(error) : error;
      }
    },

    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(
        users,
        { accountId: caller.accountId },
        { prefix: 'usr', ...query },
      );
      return { data: items.map(userOut), pagination };
    },

    change: async ({ params, body, caller, note }: RouteRequest<unknown, UserPatch>): Promise<Reply> => {
      const { password, ...rest } = body;
      let change: Partial<UserRecord> | undefined;
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const user = await ownUser(caller, params['userId'] ?? '');
        if (body.role !== undefined && body.role !== user.role) checkRole(caller, body.role);
        if (password !== undefined || body.email !== undefined) checkRole(caller, user.role);
        change ??= {
          ...rest,
          ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
        };
        const changed = Object.keys(change).length === 0 ? user : await save(user, change);
        if (!changed) continue;
        if (password !== undefined) {
          await sessions.endAll(user._id, caller.id === user._id ? caller.session?.sessionId : undefined);
        }
        note({ event: 'user.changed', userId: user._id });
        return { data: userOut(changed) };
      }
      throw new AppError('CONFLICT', 'The user is being changed by too many others right now; try again');
    },

    remove: async ({ params, caller, note }: RouteRequest): Promise<Reply> => {
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const user = await ownUser(caller, params['userId'] ?? '');
        const isRemoved =
          user.role === 'owner'
            ? await letGo(user, (marked) => users.deleteOne(marked))
            : await users.deleteOne({ _id: user._id, role: user.role });
        if (!isRemoved) continue;
        // Without its user a session is worth nothing already.
        await sessions.endAll(user._id);
        note({ event: 'user.deleted', userId: user._id });
        return {};
      }
      throw new AppError('CONFLICT', 'The user is being changed by too many others right now; try again');
    },
  };
}

/** Over all accounts: the address alone is what people log in with. */
function emailTaken(cause: unknown): AppError {
  return new AppError('CONFLICT', 'There is a user with this e-mail address already', { cause });
}
