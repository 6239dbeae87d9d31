import { AppError, type AccountPatch } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, type Reply, type RouteRequest } from '@svcforms/http';
import type { AccountRecord, Caller } from '@svcforms/identity';
import { accountOut } from './account-out.ts';

/** The caller's account. Only operators change its plan. */
export function createAccount({ accounts }: { accounts: Collection<AccountRecord> }) {
  async function ownAccount({ accountId }: Caller): Promise<AccountRecord> {
    const account = await accounts.findOne({ _id: accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account was deleted');
    return account;
  }

  async function setRetention(
    { accountId }: Caller,
    retentionDays: number | null,
  ): Promise<{ before: AccountRecord; after: AccountRecord }> {
    const before = await accounts.findOneAndUpdate(
      { _id: accountId },
      retentionDays === null ? { $unset: { retentionDays: true } } : { $set: { retentionDays } },
      { returning: 'before' },
    );
    if (!before) throw new AppError('NOT_FOUND', 'The account was deleted');
    const { retentionDays: _, ...rest } = before;
    return { before, after: { ...rest, ...(retentionDays !== null && { retentionDays }) } };
  }

  return {
    get: async ({ caller }: RouteRequest): Promise<Reply> => {
      return { data: accountOut(await ownAccount(caller)) };
    },

    change: async ({ body, caller, note, audit }: RouteRequest<unknown, AccountPatch>): Promise<Reply> => {
      const { retentionDays } = body;
      if (retentionDays === undefined) {
        const account = await ownAccount(caller);
        note({ event: 'account.changed', accountId: account._id });
        return { data: accountOut(account) };
      }
      const { before, after } = await setRetention(caller, retentionDays);
      note({ event: 'account.changed', accountId: after._id });
      audit({ changes: changesBetween(before, after, { names: ['retentionDays'] }) });
      return { data: accountOut(after) };
    },
  };
}
