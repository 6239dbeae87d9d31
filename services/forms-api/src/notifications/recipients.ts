import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import {
  addressKey,
  ensureAddress,
  type FormRecord,
  type NotificationAddressRecord,
} from '@svcforms/records';
import type { RequestVerification } from './request-verification.ts';

export interface RecipientsDeps {
  forms: Collection<FormRecord>;
  addresses: Collection<NotificationAddressRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  requestVerification: RequestVerification;
  now: () => number;
}

const BATCH_SIZE = 100;

const emailsOf = ({ settings }: Pick<FormRecord, 'settings'>) => settings.notifications?.emails ?? [];

/** The addresses that forms name for their notifications, and how they come to be verified. docs/adr/0034 */
export function createRecipients({ forms, addresses, users, requestVerification, now }: RecipientsDeps) {
  const at = () => new Date(now()).toISOString();

  /** What a form named before addresses were verified counts as verified; before the form is marked. */
  async function trustSaved(form: FormRecord): Promise<void> {
    if (form.verifiesRecipients) return;
    for (const email of emailsOf(form)) {
      const verified = { status: 'verified', verifiedAt: at() } as const;
      const { record } = await ensureAddress(
        addresses,
        { accountId: form.accountId, email },
        { ...verified, createdAt: at() },
      );
      if (record.status !== 'pending') continue;
      await addresses.updateOne({ _id: record._id, status: 'pending' }, { $set: verified });
    }
  }

  return {
    trustSaved,

    /**
     * After a form was saved: asks the owners of addresses that are new in it to confirm. What this doesn't come to, because the
     * process dies, the dispatcher does at the first submission.
     */
    async askNew(form: FormRecord, before?: FormRecord): Promise<void> {
      const saved = new Set(before ? emailsOf(before).map(addressKey) : []);
      const added = [...new Set(emailsOf(form).map(addressKey))].filter((email) => !saved.has(email));
      if (added.length === 0) return;
      const { accountId } = form;
      const ofUsers = await users.find({ accountId, email: { $in: added } });
      const trusted = new Set(ofUsers.map(({ email }) => email));
      for (const email of added) {
        const { record } = await ensureAddress(
          addresses,
          { accountId, email },
          { status: 'pending', createdAt: at() },
        );
        // Who has unsubscribed isn't asked again only because a form names them.
        if (record.status === 'pending' && !trusted.has(email)) await requestVerification(record);
      }
    },

    /** Once after an upgrade: all forms of the version before. */
    async trustAllSaved(): Promise<void> {
      for (;;) {
        const found = await forms.find(
          { verifiesRecipients: null, 'settings.notifications.emails': { $exists: true } },
          { limit: BATCH_SIZE },
        );
        for (const form of found) {
          await trustSaved(form);
          const { _id, version } = form;
          // Not where somebody else has just saved it: then it is looked at once more.
          await forms.updateOne({ _id, version }, { $set: { verifiesRecipients: true } });
        }
        if (found.length === 0) return;
      }
    },
  };
}

export type Recipients = ReturnType<typeof createRecipients>;
