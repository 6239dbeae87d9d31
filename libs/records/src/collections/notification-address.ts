import { newId } from '@svcforms/contracts';
import {
  isDuplicateKey,
  type Collection,
  type CollectionSpec,
  type StoredDocument,
} from '@svcforms/document-store';
import { randomBytes } from 'node:crypto';

/**
 * A notification address in the forms of an account. `pending` and `unsubscribed` addresses get no
 * emails until their owner follows the link of a verification email. A `pending` address of a user
 * of the account counts as verified.
 */
export interface NotificationAddressRecord extends StoredDocument {
  accountId: string;
  /** See `addressKey`. Unique in the account. */
  email: string;
  status: 'pending' | 'verified' | 'unsubscribed';
  verifiedAt?: string;
  /** The secret part of its unsubscribe links, which work as long as the record exists. */
  unsubscribeKey: string;
  /** Unused verification links, the newest last. `hash`: SHA-256 of the token, hex. */
  links?: { hash: string; expiresAt: string }[];
  /** When verification emails were requested, the newest last. ISO 8601. */
  requestedAt?: string[];
  /** The newest request. */
  lastRequestedAt?: string;
  /** Since when a verification email is pending. */
  mailOwedAt?: string;
  createdAt: string;
}

export const NOTIFICATION_ADDRESSES: CollectionSpec<NotificationAddressRecord> = {
  name: 'notification_addresses',
  indexes: [
    { keys: ['accountId', 'email'], unique: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['mailOwedAt'], sparse: true },
  ],
  wakesJobs: ['mailOwedAt'],
};

/** The normalized address: upper and lower case are equal. */
export const addressKey = (email: string): string => email.toLowerCase();

type Addresses = Pick<Collection<NotificationAddressRecord>, 'findOne' | 'insertOne'>;

/**
 * Returns the record of an address, and whether this call created it with these values.
 */
export async function ensureAddress(
  addresses: Addresses,
  { accountId, email }: { accountId: string; email: string },
  values: Pick<NotificationAddressRecord, 'status' | 'createdAt'> & Partial<NotificationAddressRecord>,
): Promise<{ record: NotificationAddressRecord; isNew: boolean }> {
  const unique = { accountId, email: addressKey(email) };
  const known = await addresses.findOne(unique);
  if (known) return { record: known, isNew: false };
  const record: NotificationAddressRecord = {
    _id: newId('nad'),
    ...unique,
    unsubscribeKey: randomBytes(24).toString('base64url'),
    ...values,
  };
  try {
    await addresses.insertOne(record);
    return { record, isNew: true };
  } catch (error) {
    const other = isDuplicateKey(error) ? await addresses.findOne(unique) : null;
    if (other) return { record: other, isNew: false };
    throw error;
  }
}

/**
 * The token in the links of emails: the id of the record, and a secret to compare with the record.
 */
export const addressToken = (addressId: string, secret: string): string => `${addressId}.${secret}`;

/** The parts of a token; `null` if it isn't one. */
export function readAddressToken(token: string): { addressId: string; secret: string } | null {
  const [addressId = '', secret = '', ...rest] = token.split('.');
  return addressId && secret && rest.length === 0 ? { addressId, secret } : null;
}
