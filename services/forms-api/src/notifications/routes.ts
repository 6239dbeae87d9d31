import { EmailLinkQuery, NotificationAddressOut, PageQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createAddresses, type AddressesDeps } from './addresses.ts';
import { createEmailLinks, type EmailLinksDeps } from './email-links.ts';

/** The addresses that receive notifications, and the pages that links in emails open. */
export function notificationRoutes(deps: AddressesDeps & EmailLinksDeps): Route[] {
  const addresses = createAddresses(deps);
  const links = createEmailLinks(deps);
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/notification-addresses', summary: 'List notification addresses', operationId: 'listNotificationAddresses',
      access: { scope: 'forms:read' }, query: PageQuery, status: 200, response: NotificationAddressOut, handler: addresses.list }),
    route({ method: 'POST', path: '/api/notification-addresses/:addressId/verification', summary: 'Send another verification email', operationId: 'verifyNotificationAddress',
      access: { scope: 'forms:write' }, status: 202, response: NotificationAddressOut, errors: ['NOT_FOUND', 'CONFLICT'],
      description: 'Limits for an address: 1 per hour, 3 per day, 6 in 30 days. An account can send 50 per day.', audit: 'notification_address.verification_sent', handler: addresses.verify }),
    ...([['verify', links.askToVerify, links.verify], ['unsubscribe', links.askToUnsubscribe, links.unsubscribe]] as const).flatMap(([action, showPage, act]) => [
      route({ method: 'GET', path: `/api/notifications/${action}`, summary: 'Show the page that an email links to', access: 'public', limit: 'public',
        isPage: true, query: EmailLinkQuery, status: 200, handler: showPage }),
      route({ method: 'POST', path: `/api/notifications/${action}`, summary: 'Confirm on that page', access: 'public', limit: 'public',
        isPage: true, takesRawBody: true, query: EmailLinkQuery, status: 200, audit: null, handler: act }),
    ]),
  ];
}
