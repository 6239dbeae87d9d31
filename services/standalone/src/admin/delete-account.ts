import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createForgetReplies, deleteRepliesOfForms } from '@svcforms/http';
import {
  ACCOUNTS,
  AGENTS,
  API_KEYS,
  INVITATIONS,
  SESSIONS,
  USERS,
  type AccountRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  createEraser,
  ERASURES,
  FORMS,
  MAIL_COUNTERS,
  newErasure,
  WEBHOOKS,
  type ErasureRecord,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { MAILS } from '@svcforms/webhook-dispatcher/collections';
import { COLLECTIONS } from '../dump/collections.ts';

/**
 * Deletes an account with all its data. Credentials are deleted first and the account last, so that
 * an interrupted run can be repeated. The product deletes the files of emails, now or at its next
 * start.
 */
export async function deleteAccount(
  { store, bus, now }: { store: DocumentStore; bus: Pick<EventBus, 'erase'>; now: Clock },
  accountId: string,
): Promise<void> {
  for (const spec of COLLECTIONS) store.collection(spec);
  await store.ensureIndexes();
  const at = isoTime(now());
  for (const spec of [API_KEYS, AGENTS, INVITATIONS, SESSIONS, USERS])
    await store.collection<{ _id: string; accountId: string }>(spec).deleteMany({ accountId });

  const erasures = store.collection<ErasureRecord>(ERASURES);
  const forms = await store.collection<FormRecord>(FORMS).find({ accountId });
  const formIds = forms.map(({ _id }) => _id);
  const webhooks = await store.collection<WebhookRecord>(WEBHOOKS).find({ accountId });
  const mails = await store.collection(MAILS).find({ accountId });
  const record = newErasure({
    _id: accountId,
    kind: 'account',
    accountId,
    at,
    dueAt: at,
    formIds,
    webhookIds: webhooks.map(({ _id }) => _id),
    mailIds: mails.map(({ _id }) => _id),
  });
  // Each form has its own tombstone, because not all data of a form names the account.
  const ofForms = formIds.map((formId) =>
    newErasure({ _id: formId, kind: 'form', accountId, at, formIds: [formId], passes: 2 }),
  );
  await erasures.insertMany([record, ...ofForms]);

  await createEraser({ store, forgetReplies: createForgetReplies({ store, now }), now }).apply(record);
  await bus.erase(accountId, 'all');
  for (const spec of COLLECTIONS) {
    if (spec !== ERASURES && spec !== ACCOUNTS) await store.collection(spec).deleteMany({ accountId });
  }
  await deleteRepliesOfForms(store, formIds);
  // Their ids start with the account's id; '}' follows '|'.
  await store.collection(MAIL_COUNTERS).deleteMany({ _id: { $gte: `${accountId}|`, $lt: `${accountId}}` } });
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  // The first account leaves a tombstone. Otherwise the next start would create it again under the
  // same id.
  const isFirst = await accounts.updateOne(
    { _id: accountId, bootstrappedAt: { $exists: true } },
    { $set: { name: '', erasedAt: at }, $unset: { retentionDays: true } },
  );
  if (!isFirst) await accounts.deleteOne({ _id: accountId });
}
