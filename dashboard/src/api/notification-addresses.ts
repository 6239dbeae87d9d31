import type { NotificationAddressOut } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { readAllPages } from './paged-query.ts';

const MAX_READ = 500;

/**
 * The newest addresses that the account's forms send notifications to. A new version of a form may
 * have others.
 */
export const notificationAddressesQuery = (formVersion: number) =>
  queryOptions({
    queryKey: ['notification addresses', formVersion],
    queryFn: ({ signal }) =>
      readAllPages<NotificationAddressOut>('/api/notification-addresses', { max: MAX_READ, signal }),
  });

/** Sends another verification email. */
export const verifyAddress = (addressId: string) =>
  request<NotificationAddressOut>('POST', `/api/notification-addresses/${addressId}/verification`);
