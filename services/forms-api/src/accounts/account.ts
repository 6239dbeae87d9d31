import { AppError, type AccountPatch } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, type Reply, type RouteRequest } from '@svcforms/http';
import type { AccountRecord } from '@svcforms/identity';
import { accountOut } from './account-out.ts';

/** The caller's account. Its plan is the operator's to change. */
export function createAccount({ accounts }: { accounts: Collection<AccountRecord> }) {
  const gone = () => new AppError('NOT_FOUND', 'The account is gone');
  return {
    get: async ({ caller }: RouteRequest): Promise<Reply> => {
      const account = await accounts.findOne({ _id: caller.accountId });
      if (!account) throw gone();
      return { data: accountOut(account) };
    },

    change: async ({ body, caller, note, audit }: RouteRequest<unknown, AccountPatch>): Promise<Reply> => {
      const { retentionDays } = body;
      const before = await accounts.findOne({ _id: caller.accountId });
      const account =
        retentionDays === undefined
          ? before
          : await accounts.findOneAndUpdate(
              { _id: caller.accountId },
              retentionDays === null ? { $unset: { retentionDays: true } } : { $set: { retentionDays } },
            );
      if (!before || !account) throw gone();
      note({ event: 'account.changed', accountId: account._id });
      audit({ changes: changesBetween(before, account, { names: ['retentionDays'] }) });
      return { data: accountOut(account) };
    },
  };
}
