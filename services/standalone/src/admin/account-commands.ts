import { newId, PLANS } from '@svcforms/contracts';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import { isoTime } from '@svcforms/primitives';
import { noAccount, type Command } from './admin-command.ts';
import { deleteAccount } from './delete-account.ts';
import { nameOf, oneOf } from './option-values.ts';
import { setSingleSignOn } from './set-single-sign-on.ts';
import { warnOfSeveralAccounts } from './several-accounts.ts';
import { UsageError } from './usage-error.ts';

/** The commands for accounts. Only these change the plan of one. */
export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    usage: ['account create --name NAME [--plan free|starter|pro|business]'],
    options: ['name', 'plan'],
    async run(deps, options) {
      const { store, audit, now } = deps;
      const account: AccountRecord = {
        _id: newId('acc'),
        name: nameOf(options),
        plan: oneOf(PLANS, 'plan', options['plan'] ?? 'free'),
        createdAt: isoTime(now()),
      };
      await store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
      const { _id: id, name } = account;
      await audit({ accountId: id, action: 'account.created', target: { id, name } });
      await warnOfSeveralAccounts(deps);
      return [accountLine(account)];
    },
  },
  {
    name: 'account list',
    usage: ['account list'],
    async run({ store }) {
      const accounts = await store
        .collection<AccountRecord>(ACCOUNTS)
        .find({ erasedAt: null }, { sort: ['-createdAt', '-_id'] });
      return accounts.map(accountLine);
    },
  },
  {
    name: 'account set-plan',
    usage: ['account set-plan ACCOUNT PLAN'],
    operands: 2,
    async run({ store, announceChanges, audit }, _options, [accountId, plan]) {
      if (!accountId || !plan) throw new UsageError('account set-plan requires an account and a plan');
      const before = await store
        .collection<AccountRecord>(ACCOUNTS)
        .findOneAndUpdate(
          { _id: accountId, erasedAt: null },
          { $set: { plan: oneOf(PLANS, 'plan', plan) } },
          { returning: 'before' },
        );
      if (!before) throw noAccount(accountId);
      await announceChanges();
      const updated = { ...before, plan: oneOf(PLANS, 'plan', plan) };
      await audit({
        accountId,
        action: 'account.plan_changed',
        target: { id: accountId, name: updated.name },
        changes: { plan: { from: before.plan, to: updated.plan } },
      });
      return [accountLine(updated)];
    },
  },
  {
    name: 'account set-single-sign-on',
    usage: [
      'account set-single-sign-on ACCOUNT required|optional   whether its users must log in with the identity provider;',
      'optional also restores access if the identity provider is lost',
    ],
    operands: 2,
    async run(deps, _options, [accountId, value]) {
      if (!accountId || !value) {
        throw new UsageError('account set-single-sign-on requires an account, and required or optional');
      }
      const isRequired = oneOf(['required', 'optional'], 'the value', value) === 'required';
      const { name } = await setSingleSignOn(deps, accountId, isRequired);
      return isRequired
        ? [`${accountId} ${name} requires single sign-on; sessions opened with a password have ended`]
        : [
            `${accountId} ${name} accepts passwords again; "user set-password" sets one for users who have none`,
          ];
    },
  },
  {
    name: 'account delete',
    usage: ['account delete ACCOUNT --yes ACCOUNT   deletes it with all its data'],
    operands: 1,
    options: ['yes'],
    async run({ store, bus, announceChanges, now }, options, [accountId]) {
      if (!accountId) throw new UsageError('account delete requires an account');
      if (options['yes'] !== accountId)
        throw new UsageError(
          `account delete deletes all data of ${accountId}; confirm with --yes ${accountId}`,
        );
      const account = await store
        .collection<AccountRecord>(ACCOUNTS)
        .findOne({ _id: accountId, erasedAt: null });
      if (!account) throw noAccount(accountId);
      await deleteAccount({ store, bus: await bus(), now }, accountId);
      await announceChanges();
      return [`${accountId} ${account.name} is deleted; a running product deletes the files of its emails`];
    },
  },
];

const accountLine = ({ _id, plan, name }: AccountRecord): string => `${_id} ${plan} ${name}`;
