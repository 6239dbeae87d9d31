import type { Collection } from '@svcforms/document-store';
import type { AccountRecord } from './records/account.ts';

/**
 * Returns the account that something of the whole installation belongs to: the one that the
 * settings name, or the only one. `null` if it doesn't exist, or if there are several and the
 * settings name none.
 */
export async function accountOfInstallation(
  named: string | undefined,
  accounts: Pick<Collection<AccountRecord>, 'find' | 'findOne'>,
): Promise<string | null> {
  if (named !== undefined) return (await accounts.findOne({ _id: named, erasedAt: null }))?._id ?? null;
  const [only, another] = await accounts.find({ erasedAt: null }, { limit: 2 });
  return only && !another ? only._id : null;
}
