import type { AuditChanges } from '@svcforms/contracts';
import { auditUrl, changesBetween } from '@svcforms/http';
import type { WebhookRecord } from '@svcforms/records';

/**
 * Changes for the audit log, with only the host of the URL: its path and query are often
 * credentials. `written`: the properties that the request writes; absent: all.
 */
export function webhookChanges(
  before: Partial<WebhookRecord>,
  after: WebhookRecord,
  written?: object,
): AuditChanges {
  const { url, ...rest } = changesBetween(before, after, {
    names: ['events', 'forms', 'isEnabled', 'description', 'rateLimitPerSecond'],
    // Values to compare with may be personal data, and templates may contain credentials.
    hidden: ['url', 'filter', 'payload'],
    written,
  });
  const hosts = {
    ...(before.url === undefined ? {} : { from: auditUrl(before.url) }),
    to: auditUrl(after.url),
  };
  return { ...rest, ...(url && { url: hosts }) };
}
