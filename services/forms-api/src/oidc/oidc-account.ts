import type { Collection } from '@svcforms/document-store';
import type { AccountRecord } from '@svcforms/identity';
import type { OidcConfig } from './oidc-config.ts';

/**
 * Returns the account of the provider's users: the one that the settings name, or the only one.
 * `null` if it doesn't exist, or if there are several and the settings name none.
 */
export async function oidcAccountId(
  config: Pick<OidcConfig, 'accountId'>,
  accounts: Pick<Collection<AccountRecord>, 'find' | 'findOne'>,
): Promise<string | null> {
  if (config.accountId !== undefined) {
    return (await accounts.findOne({ _id: config.accountId, erasedAt: null }))?._id ?? null;
  }
  const [only, another] = await accounts.find({ erasedAt: null }, { limit: 2 });
  return only && !another ? only._id : null;
}
