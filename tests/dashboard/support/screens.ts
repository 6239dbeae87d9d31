import { poll } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';

/** Ids for the path parameters of the screens, from `populateAccount`. */
export type Ids = Readonly<
  Record<
    | 'formId'
    | 'submissionId'
    | 'webhookId'
    | 'deliveryId'
    | 'inboundId'
    | 'taskId'
    | 'accountWebhookId'
    | 'accountDeliveryId',
    string
  >
>;

export interface Screen {
  path: (ids: Ids) => string;
  /** The heading, regardless of the data. */
  heading: string | RegExp;
}

/** A webhook is named by the host and path of its endpoint. */
const WEBHOOK = /^127\.0\.0\.1:\d+/;

/**
 * Every screen behind the login. `scenarios/every-screen.ts` tests the requirements for all of
 * them.
 */
export const SCREENS: readonly Screen[] = [
  { path: () => '/forms', heading: 'Forms' },
  { path: ({ formId }) => `/forms/${formId}`, heading: 'Overview' },
  { path: ({ formId }) => `/forms/${formId}/submissions`, heading: 'Submissions' },
  {
    path: ({ formId, submissionId }) => `/forms/${formId}/submissions/${submissionId}`,
    heading: 'Submission',
  },
  { path: ({ formId }) => `/forms/${formId}/webhooks`, heading: 'Webhooks' },
  { path: ({ formId, webhookId }) => `/forms/${formId}/webhooks/${webhookId}`, heading: WEBHOOK },
  {
    path: ({ formId, webhookId, deliveryId }) =>
      `/forms/${formId}/webhooks/${webhookId}/deliveries/${deliveryId}`,
    heading: 'Delivery',
  },
  { path: ({ formId }) => `/forms/${formId}/integrations`, heading: 'Inbound' },
  {
    path: ({ formId, inboundId }) => `/forms/${formId}/integrations/${inboundId}`,
    heading: 'Inbound endpoint',
  },
  { path: () => '/tasks?status=any', heading: 'Inbox' },
  { path: ({ taskId }) => `/tasks/${taskId}`, heading: 'Inbox' },
  { path: ({ formId }) => `/forms/${formId}/build`, heading: 'Build' },
  { path: ({ formId }) => `/forms/${formId}/display`, heading: 'Display' },
  { path: ({ formId }) => `/forms/${formId}/languages`, heading: 'Languages' },
  { path: ({ formId }) => `/forms/${formId}/settings`, heading: 'Settings' },
  { path: ({ formId }) => `/forms/${formId}/publish`, heading: 'Publish' },
  { path: ({ formId }) => `/forms/${formId}/share`, heading: 'Share' },
  { path: () => '/developers', heading: 'Developers' },
  { path: () => '/settings', heading: 'Profile' },
  { path: () => '/settings/account', heading: 'Account' },
  { path: () => '/settings/users', heading: 'Team' },
  { path: () => '/settings/groups', heading: 'Groups' },
  { path: () => '/settings/keys', heading: 'API keys' },
  { path: () => '/settings/agents', heading: 'Connected agents' },
  { path: () => '/settings/webhooks', heading: 'Webhooks' },
  { path: ({ accountWebhookId }) => `/settings/webhooks/${accountWebhookId}`, heading: WEBHOOK },
  {
    path: ({ accountWebhookId, accountDeliveryId }) =>
      `/settings/webhooks/${accountWebhookId}/deliveries/${accountDeliveryId}`,
    heading: 'Delivery',
  },
  { path: () => '/settings/audit-log', heading: 'Audit log' },
  { path: () => '/settings/sessions', heading: 'Sessions' },
];

/** Opens a screen and waits until it has loaded. */
export async function visit(page: Page, { path, heading }: Screen, ids: Ids): Promise<void> {
  await page.goto(path(ids));
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await loaded(page);
}

/** Waits until no part of the screen is loading. Several can be at once. */
export async function loaded(page: Page): Promise<void> {
  await poll(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, {
    what: `the data of ${page.url()}`,
  });
}
