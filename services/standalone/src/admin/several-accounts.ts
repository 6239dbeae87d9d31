import { ACCOUNTS, accountOfInstallation, type AccountRecord } from '@svcforms/identity';
import type { AdminDeps } from './admin-command.ts';

/**
 * Warns after an account was added: the identity provider and the Slack app serve the only account,
 * and none once there are several, unless the settings name one. Accounts that require single
 * sign-on are closed then.
 */
export async function warnOfSeveralAccounts({
  store,
  settings,
  io,
}: Pick<AdminDeps, 'store' | 'settings' | 'io'>): Promise<void> {
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  if ((await accountOfInstallation(undefined, accounts)) !== null) return;
  if (settings.SVC_OIDC_ISSUER && !settings.SVC_OIDC_ACCOUNT) {
    io.warn(
      'there are several accounts, so nobody can log in with the identity provider until SVC_OIDC_ACCOUNT names the account of its users',
    );
  }
  const hasSlack = settings.SVC_SLACK_SIGNING_SECRET ?? settings.SVC_SLACK_SIGNING_SECRET_FILE;
  if (hasSlack && !settings.SVC_SLACK_ACCOUNT) {
    io.warn(
      'there are several accounts, so no tasks are posted to Slack until SVC_SLACK_ACCOUNT names the account of the Slack app',
    );
  }
}
