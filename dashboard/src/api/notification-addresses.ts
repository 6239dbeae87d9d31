import type { NotificationAddressOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

const MAX_READ = 500;

/**
 * The newest addresses that the account's forms send notifications to. A new version of a form may
 * have others.
 */
export const notificationAddressesQuery = (formVersion: number) =>
  queryOptions({
    queryKey: ['notification addresses', formVersion],
    async queryFn({ signal }) {
      const addresses: NotificationAddressOut[] = [];
      let cursor: string | undefined;
      do {
        const page = await requestPage<NotificationAddressOut>('/api/notification-addresses', {
          query: { cursor, limit: 100 },
          signal,
        });
        addresses.push(...page.data);
        cursor = page.pagination.nextCursor ?? undefined;
      } while (cursor !== undefined && addresses.length < MAX_READ);
      return addresses;
    },
  });

/** Sends another verification email. */
export const verifyAddress = (addressId: string) =>
  request<NotificationAddressOut>('POST', `/api/notification-addresses/${addressId}/verification`);
