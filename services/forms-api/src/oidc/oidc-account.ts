import type { Collection } from '@svcforms/document-store';
import { accountOfInstallation, type AccountRecord } from '@svcforms/identity';
import type { OidcConfig } from './oidc-config.ts';

/** Returns the account of the provider's users; see `accountOfInstallation`. */
export const oidcAccountId = (
  { accountId }: Pick<OidcConfig, 'accountId'>,
  accounts: Pick<Collection<AccountRecord>, 'find' | 'findOne'>,
): Promise<string | null> => accountOfInstallation(accountId, accounts);
