import { AppError, type NotificationAddressOut, type PageQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import type { UserRecord } from '@svcforms/identity';
import type { NotificationAddressRecord } from '@svcforms/records';
import type { RequestVerification } from './request-verification.ts';

export interface AddressesDeps {
  addresses: Collection<NotificationAddressRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  requestVerification: RequestVerification;
}

/** The addresses that an account's forms send notifications to. */
export function createAddresses({ addresses, users, requestVerification }: AddressesDeps) {
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

  return {
    list: async ({ query, caller: { accountId } }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(addresses, { accountId }, { prefix: 'nad', ...query });
      return { data: await shown(accountId, items), pagination };
    },

    verify: async ({ params, caller: { accountId }, note }: PathRequest<'addressId'>): Promise<Reply> => {
      const address = await addresses.findOne({ _id: params.addressId, accountId });
      if (!address) throw new AppError('NOT_FOUND', 'There is no such address');
      const [out] = await shown(accountId, [address]);
      if (out?.status === 'verified') throw new AppError('CONFLICT', 'The address is already verified');
      const waitMs = await requestVerification(address);
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new AppError('RATE_LIMITED', `Too many verification emails. Try again in ${seconds} s.`, {
          headers: { 'Retry-After': String(seconds) },
        });
      }
      note({ event: 'notification_address.verification_requested', addressId: address._id });
      return { data: out };
    },
  };
}
