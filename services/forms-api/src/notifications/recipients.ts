import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  addressKey,
  ensureAddress,
  type FormRecord,
  type NotificationAddressRecord,
  type RequestVerification,
} from '@svcforms/records';

export interface RecipientsDeps {
  forms: Collection<FormRecord>;
  addresses: Collection<NotificationAddressRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  requestVerification: RequestVerification;
  now: Clock;
}

const BATCH_SIZE = 100;

/** The addresses that get an email about each submission of the form. */
export const emailsOf = ({ settings }: Pick<FormRecord, 'settings'>) => settings.notifications?.emails ?? [];

/** Verifies the addresses that forms name for notifications. docs/adr/0034 */
export function createRecipients({ forms, addresses, users, requestVerification, now }: RecipientsDeps) {
  /**
   * Marks addresses as verified that a form named before addresses were verified. Call it before
   * marking the form.
   */
  async function trustSaved(form: FormRecord): Promise<void> {
    if (form.verifiesRecipients) return;
    for (const email of emailsOf(form)) {
      const verified = { status: 'verified', verifiedAt: isoTime(now()) } as const;
      const { record } = await ensureAddress(
        addresses,
        { accountId: form.accountId, email },
        { ...verified, createdAt: isoTime(now()) },
      );
      if (record.status !== 'pending') continue;
      await addresses.updateOne({ _id: record._id, status: 'pending' }, { $set: verified });
    }
  }

  return {
    trustSaved,

    /**
     * Sends verification requests to the addresses that a save added to a form. If the process dies
     * first, the dispatcher sends them with the first submission.
     */
    async requestForAdded(form: FormRecord, before?: FormRecord): Promise<void> {
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
          { status: 'pending', createdAt: isoTime(now()) },
        );
        // Recipients who have unsubscribed aren't asked again when a form names them.
        if (record.status === 'pending' && !trusted.has(email)) await requestVerification(record);
      }
    },

    /** Runs once after an upgrade, for all forms of the previous version. */
    async trustAllSaved(): Promise<void> {
      for (;;) {
        const found = await forms.find(
          { verifiesRecipients: null, 'settings.notifications.emails': { $exists: true } },
          { limit: BATCH_SIZE },
        );
        for (const form of found) {
          await trustSaved(form);
          const { _id, version } = form;
          // A form that was saved in the meantime doesn't match, and is found again.
          await forms.updateOne({ _id, version }, { $set: { verifiesRecipients: true } });
        }
        if (found.length === 0) return;
      }
    },
  };
}

export type Recipients = ReturnType<typeof createRecipients>;
