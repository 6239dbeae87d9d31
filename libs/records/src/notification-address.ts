import { newId } from '@svcforms/contracts';
import {
  isDuplicateKey,
  type Collection,
  type CollectionSpec,
  type StoredDocument,
} from '@svcforms/document-store';
import { randomBytes } from 'node:crypto';

/**
 * An address that forms of an account name for their notifications. `pending` gets none until its owner follows the link of a
 * verification email, `unsubscribed` none until it is verified again. An address of a user of the account counts as verified
 * while it is `pending`.
 */
export interface NotificationAddressRecord extends StoredDocument {
  accountId: string;
  /** See `addressKey`; unique in the account. */
  email: string;
  status: 'pending' | 'verified' | 'unsubscribed';
  verifiedAt?: string;
  /** The secret part of its unsubscribe links, which work for as long as the record is there. */
  unsubscribeKey: string;
  /** Verification links that were sent and not used, the newest last. `hash`: SHA-256 of the token, hex. */
  links?: { hash: string; expiresAt: string }[];
  /** When verification emails were requested, the newest last. ISO 8601. */
  requestedAt?: string[];
  /** The last of them. */
  lastRequestedAt?: string;
  /** A verification email is owed since then. */
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
};

/** An address as it is compared: upper and lower case are the same. */
export const addressKey = (email: string): string => email.toLowerCase();

type Addresses = Pick<Collection<NotificationAddressRecord>, 'findOne' | 'insertOne'>;

/**
 * The record of an address; made with these values where there is none.
 * @returns whether this call made it, too.
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

/** The links in emails carry these: the record, and a secret that is compared with what the record has. */
export const addressToken = (addressId: string, secret: string): string => `${addressId}.${secret}`;

/** `null` for what is no such token. */
export function readAddressToken(token: string): { addressId: string; secret: string } | null {
  const [addressId = '', secret = '', ...rest] = token.split('.');
  return addressId && secret && rest.length === 0 ? { addressId, secret } : null;
}
