import { AppError, validationFailed, type AccountPatch } from '@svcforms/contracts';
import { unsetting, type Collection } from '@svcforms/document-store';
import { changesBetween, type Reply, type RouteRequest } from '@svcforms/http';
import type { AccountRecord, Caller } from '@svcforms/identity';
import { accountOut } from './account-out.ts';

/** The caller's account. Only operators change its plan. */
export function createAccount({
  accounts,
  hasSlack,
}: {
  accounts: Collection<AccountRecord>;
  /** Whether the Slack app belongs to the account. */
  hasSlack: (accountId: string) => Promise<boolean>;
}) {
  async function ownAccount({ accountId }: Caller): Promise<AccountRecord> {
    const account = await accounts.findOne({ _id: accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account was deleted');
    return account;
  }

  async function save(
    { accountId }: Caller,
    patch: AccountPatch,
  ): Promise<{ before: AccountRecord; after: AccountRecord }> {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const set = Object.fromEntries(given.filter(([, value]) => value !== null)) as Partial<AccountRecord>;
    const absent = given.filter(([, value]) => value === null).map(([name]) => name);
    const before = await accounts.findOneAndUpdate(
      { _id: accountId },
      {
        ...(Object.keys(set).length > 0 && { $set: set }),
        ...unsetting(absent as (keyof AccountPatch)[]),
      },
      { returning: 'before' },
    );
    if (!before) throw new AppError('NOT_FOUND', 'The account was deleted');
    const kept = Object.entries(before).filter(([name]) => !absent.includes(name));
    return { before, after: { ...(Object.fromEntries(kept) as AccountRecord), ...set } };
  }

  return {
    get: async ({ caller }: RouteRequest): Promise<Reply> => {
      return { data: accountOut(await ownAccount(caller)) };
    },

    change: async ({ body, caller, note, audit }: RouteRequest<unknown, AccountPatch>): Promise<Reply> => {
      if (Object.values(body).every((value) => value === undefined)) {
        const account = await ownAccount(caller);
        note({ event: 'account.changed', accountId: account._id });
        return { data: accountOut(account) };
      }
      if (typeof body.slackChannel === 'string' && !(await hasSlack(caller.accountId))) {
        const message = 'needs the Slack app, which the operator of this installation sets up';
        throw validationFailed([{ pointer: '/slackChannel', message }]);
      }
      const { before, after } = await save(caller, body);
      note({ event: 'account.changed', accountId: after._id });
      audit({ changes: changesBetween(before, after, { names: ['retentionDays', 'slackChannel'] }) });
      return { data: accountOut(after) };
    },
  };
}
