import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { AccountRecord, UserRecord } from '@svcforms/identity';

/** What accounts need to know about the identity provider of the installation. */
export interface SingleSignOn {
  /** Its issuer URL, which begins the `oidcSubject` of its users. */
  issuer: string;
  /**
   * Returns the account of its users; `null` if there is none, or if the settings leave it open.
   */
  accountId: () => Promise<string | null>;
}

/**
 * Refuses what a password opens, in accounts that require single sign-on.
 * docs/reference/authentication.md#required-single-sign-on
 * @param user whose password or link it is; without `oidcSubject`, the message says how to link
 * them
 * @throws AppError `SINGLE_SIGN_ON_REQUIRED`
 */
export type CheckPasswordAllowed = (
  user: Pick<UserRecord, 'accountId' | 'email' | 'oidcSubject'>,
) => Promise<void>;

export function createCheckPasswordAllowed(deps: {
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  singleSignOn: SingleSignOn | null;
}): CheckPasswordAllowed {
  const { accounts, singleSignOn } = deps;
  return async ({ accountId, email, oidcSubject }) => {
    const account = await accounts.findOne({ _id: accountId });
    if (account?.singleSignOnRequired !== true) return;
    if ((await singleSignOn?.accountId()) !== accountId) throw noProvider(accountId);
    const first =
      oidcSubject === undefined
        ? ` At your first login, the provider must have verified the address ${email}.`
        : '';
    throw new AppError(
      'SINGLE_SIGN_ON_REQUIRED',
      `Your account requires single sign-on. Log in with the identity provider.${first}`,
    );
  };
}

/** The operator has removed the provider from the settings, or given it to another account. */
const noProvider = (accountId: string) =>
  new AppError(
    'SINGLE_SIGN_ON_REQUIRED',
    `Your account requires single sign-on, but this installation has no identity provider for it. Ask the operator to configure one (SVC_OIDC_ISSUER, SVC_OIDC_ACCOUNT) or to run: npm run admin -- account set-single-sign-on ${accountId} optional`,
  );
