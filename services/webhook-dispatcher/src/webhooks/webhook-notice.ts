import type { Update } from '@svcforms/document-store';
import { noticesMark, type WebhookNotice, type WebhookRecord } from '@svcforms/records';

/** Describes the webhook's state at a time (ISO 8601) for the account's owners. */
export function noticeOf(
  { url, lastStatus, lastError, failingSince }: WebhookRecord,
  kind: WebhookNotice['kind'],
  at: string,
): WebhookNotice {
  return { kind, at, url, lastStatus, ...(lastError === undefined ? {} : { lastError }), failingSince };
}

/** Adds the notice to a change of the webhook, so that both are stored or neither. */
export function withNotice(
  { $set }: { $set: Update<WebhookRecord>['$set'] },
  notice: WebhookNotice,
): Update<WebhookRecord> {
  return { $set: { ...$set, noticesAt: noticesMark(notice.at) }, $push: { notices: notice } };
}
