import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  addressKey,
  ensureAddress,
  hasRecipients,
  type FormRecord,
  type NotificationAddressRecord,
  type RequestVerification,
} from '@svcforms/records';

export type RecipientsOf = (forms: readonly FormRecord[]) => Promise<Map<string, string[]>>;

export interface RecipientsDeps {
  addresses: Pick<Collection<NotificationAddressRecord>, 'find' | 'findOne' | 'insertOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  requestVerification: RequestVerification;
  now: Clock;
}

/**
 * Finds the recipients of emails about new submissions, by form id: the named addresses that are
 * verified, that belong to a user of the account, or that the form has named since before
 * verification existed, except those that unsubscribed. Each gets a record for its unsubscribe
 * link, and an address that wasn't asked yet gets a verification email: a new one, and one that
 * belongs to no user anymore. ADR 0034
 */
export function createRecipients(deps: RecipientsDeps): RecipientsOf {
  const { addresses, users, requestVerification, now } = deps;

  return async function recipientsOf(forms) {
    const named = forms.filter(hasRecipients);
    if (named.length === 0) return new Map();
    const where = {
      accountId: { $in: [...new Set(named.map(({ accountId }) => accountId))] },
      email: {
        $in: [
          ...new Set(named.flatMap(({ settings }) => settings.notifications?.emails?.map(addressKey) ?? [])),
        ],
      },
    };
    const known = byAddress(await addresses.find(where));
    const ofUsers = byAddress(await users.find(where));
    /** Accounts that may request no more verification emails now. */
    const limited = new Set<string>();

    async function mayEmail(form: FormRecord, email: string): Promise<boolean> {
      const unique = { accountId: form.accountId, email: addressKey(email) };
      const key = keyOf(unique);
      const createdAt = isoTime(now());
      const record =
        known.get(key) ??
        (
          await ensureAddress(addresses, unique, {
            status: form.verifiesRecipients ? 'pending' : 'verified',
            createdAt,
            ...(form.verifiesRecipients ? {} : { verifiedAt: createdAt }),
          })
        ).record;
      known.set(key, record);
      if (mayGetEmails(form, record, ofUsers.has(key))) return true;
      if (record.status === 'pending' && record.requestedAt === undefined && !limited.has(form.accountId)) {
        if ((await requestVerification(record)) > 0) limited.add(form.accountId);
        // Another form of the batch that names the address requests no second one.
        known.set(key, { ...record, requestedAt: [createdAt] });
      }
      return false;
    }

    const allowed = new Map<string, string[]>();
    for (const form of named) {
      const emails = new Map(form.settings.notifications?.emails?.map((email) => [addressKey(email), email]));
      const found: string[] = [];
      for (const email of emails.values()) if (await mayEmail(form, email)) found.push(email);
      allowed.set(form._id, found);
    }
    return allowed;
  };
}

/**
 * Whether an address may get emails about submissions of the form. A pending one may if it belongs
 * to a user of the account, or if the form has named it since before verification existed.
 */
export function mayGetEmails(
  { verifiesRecipients }: Pick<FormRecord, 'verifiesRecipients'>,
  { status }: Pick<NotificationAddressRecord, 'status'>,
  isOfUser: boolean,
): boolean {
  return status === 'pending' ? !verifiesRecipients || isOfUser : status === 'verified';
}

interface Address {
  accountId: string;
  email: string;
}

const keyOf = ({ accountId, email }: Address) => `${accountId}|${email}`;

function byAddress<T extends Address>(found: readonly T[]): Map<string, T> {
  return new Map(found.map((each) => [keyOf(each), each]));
}
