import { AppError, maySeeForm, type NotificationAddressOut, type PageQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import type { Caller, UserRecord } from '@svcforms/identity';
import {
  addressKey,
  type FormRecord,
  type NotificationAddressRecord,
  type RequestVerification,
} from '@svcforms/records';
import { emailsOf } from './recipients.ts';

export interface AddressesDeps {
  addresses: Collection<NotificationAddressRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  forms: Pick<Collection<FormRecord>, 'find'>;
  requestVerification: RequestVerification;
}

/** The addresses that an account's forms send notifications to. */
export function createAddresses({ addresses, users, forms, requestVerification }: AddressesDeps) {
  async function shown(
    accountId: string,
    records: readonly NotificationAddressRecord[],
  ): Promise<NotificationAddressOut[]> {
    const pending = records.filter(({ status }) => status === 'pending').map(({ email }) => email);
    const found = pending.length > 0 ? await users.find({ accountId, email: { $in: pending } }) : [];
    const ofUsers = new Set(found.map(({ email }) => email));
    return records.map(({ _id, email, status, verifiedAt, createdAt }) => ({
      id: _id,
      email,
      status: status === 'pending' && ofUsers.has(email) ? 'verified' : status,
      verifiedAt: (status === 'verified' ? verifiedAt : null) ?? null,
      createdAt,
    }));
  }

  /**
   * The addresses of the account. For a caller from whom forms can be hidden, only those that the
   * visible forms name.
   */
  async function visibleTo(caller: Caller): Promise<Filter<NotificationAddressRecord>> {
    const { accountId, memberOf } = caller;
    if (memberOf === undefined) return { accountId };
    const found = await forms.find({
      accountId,
      deletedAt: null,
      'settings.notifications.emails': { $exists: true },
    });
    const emails = found.filter((form) => maySeeForm(caller, form)).flatMap(emailsOf);
    return { accountId, email: { $in: [...new Set(emails.map(addressKey))] } };
  }

  return {
    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const filter = await visibleTo(caller);
      const { items, pagination } = await findPage(addresses, filter, { prefix: 'nad', ...query });
      return { data: await shown(caller.accountId, items), pagination };
    },

    verify: async ({ params, caller, note }: PathRequest<'addressId'>): Promise<Reply> => {
      const address = await addresses.findOne({ _id: params.addressId, ...(await visibleTo(caller)) });
      if (!address) throw new AppError('NOT_FOUND', 'There is no such address');
      const [out] = await shown(caller.accountId, [address]);
      if (out?.status === 'verified') throw new AppError('CONFLICT', 'The address is already verified');
      const waitMs = await requestVerification(address);
      if (waitMs > 0) {
        const minutes = Math.ceil(waitMs / 60_000);
        throw new AppError('RATE_LIMITED', `Too many verification emails. Try again in ${minutes} min.`, {
          headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
        });
      }
      note({ event: 'notification_address.verification_requested', addressId: address._id });
      return { data: out };
    },
  };
}
