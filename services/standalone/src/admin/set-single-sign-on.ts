import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import {
  accountOfInstallation,
  ACCOUNTS,
  createSessions,
  hasOwnerWithIdentity,
  USERS,
  type AccountRecord,
  type UserRecord,
} from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';
import type { CommandChange } from './audit-command.ts';

interface SetSingleSignOnDeps {
  store: DocumentStore;
  announceChanges: () => Promise<void>;
  settings: Pick<Settings, 'SVC_OIDC_ISSUER' | 'SVC_OIDC_ACCOUNT'>;
  audit: (change: CommandChange) => Promise<void>;
  now: Clock;
}

/**
 * Changes whether the users of an account must log in with the identity provider. Making it
 * optional is the way back into an account whose provider is lost. It is required under the same
 * conditions as in the API. ADR 0062
 * @returns the account
 * @throws AppError `NOT_FOUND`, `CONFLICT`
 */
export async function setSingleSignOn(
  { store, announceChanges, settings, audit, now }: SetSingleSignOnDeps,
  accountId: string,
  singleSignOnRequired: boolean,
): Promise<AccountRecord> {
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  const users = store.collection<UserRecord>(USERS);
  const { SVC_OIDC_ISSUER: issuer, SVC_OIDC_ACCOUNT: served } = settings;
  const canLogIn = async () =>
    issuer !== undefined &&
    (await accountOfInstallation(served, accounts)) === accountId &&
    (await hasOwnerWithIdentity(users, { accountId, issuer, now: now() }));
  const found = await accounts.findOne({ _id: accountId, erasedAt: null });
  if (!found) throw noSuchAccount(accountId);
  if (singleSignOnRequired && !(await canLogIn())) throw nobodyCouldLogIn(accountId);
  const before = await accounts.findOneAndUpdate(
    { _id: accountId, erasedAt: null },
    { $set: { singleSignOnRequired } },
    { returning: 'before' },
  );
  if (!before) throw noSuchAccount(accountId);
  // Read after the write too, so a concurrent request that removes the owner sees the write.
  if (singleSignOnRequired && !(await canLogIn())) {
    await accounts.updateOne({ _id: accountId }, { $set: { singleSignOnRequired: false } });
    throw nobodyCouldLogIn(accountId);
  }
  if (singleSignOnRequired) await createSessions({ store, now }).endPasswordSessions(accountId);
  await announceChanges();
  const from = before.singleSignOnRequired ?? false;
  await audit({
    accountId,
    action: 'account.login_policy_changed',
    target: { id: accountId, name: before.name },
    changes:
      from === singleSignOnRequired ? {} : { singleSignOnRequired: { from, to: singleSignOnRequired } },
  });
  return before;
}

const noSuchAccount = (id: string) =>
  new AppError('NOT_FOUND', `There is no account ${id}; "account list" lists all accounts`);

const nobodyCouldLogIn = (id: string) =>
  new AppError(
    'CONFLICT',
    `nobody could log in to ${id}: set SVC_OIDC_ISSUER, and SVC_OIDC_ACCOUNT if there are several accounts, and let an owner of the account log in with single sign-on first`,
  );
