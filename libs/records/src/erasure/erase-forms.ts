import { inboundSlots } from '../collections/inbound-endpoint.ts';
import { eraseSubmissions } from './erase-submissions.ts';
import { taskAsRead, updateErased } from './erase-tasks.ts';
import type { ErasureCollections } from './erasure-collections.ts';
import type { ErasureRecord } from './erasure-record.ts';
import { taskTombstone } from './tombstone.ts';

const TASKS_PER_PAGE = 200;

/**
 * Deletes the forms of an erasure with all their data. Hides them and disables their webhooks
 * first, so that nothing more arrives or is sent. Deletes the forms last.
 */
export async function eraseForms(
  collections: Omit<ErasureCollections, 'erasures'>,
  record: ErasureRecord,
  forgetReplies: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const { forms, webhooks, deliveries, submissions } = collections;
  const { webhookHealth, inboundEndpoints, inboundRequests, popupCounters, formVersions } = collections;
  const { accountId, formIds, webhookIds, at } = record;
  const ofForms = { formId: { $in: formIds } };
  const removed = { formId: { $in: record.kind === 'account' ? [...formIds, accountId] : formIds } };
  await forms.updateMany({ _id: { $in: formIds }, deletedAt: null }, { $set: { deletedAt: at } });
  await webhooks.updateMany(removed, { $set: { isEnabled: false } });
  // By webhook, because an index by form, which only this needs, would make each delivery slower.
  const found = await webhooks.find(removed);
  const ids = [...new Set([...webhookIds, ...found.map(({ _id }) => _id)])];
  if (ids.length > 0) {
    await deliveries.deleteMany({ webhookId: { $in: ids } });
    await webhookHealth.deleteMany({ webhookId: { $in: ids } });
  }
  // One after the other, because each may have many deliveries of other forms, among which the
  // embedded store searches in parts only if the filter names one webhook.
  for (const { _id: webhookId } of await webhooks.find({ formId: accountId }))
    await deliveries.deleteMany({ webhookId, ...ofForms });
  await forgetReplies([...formIds, ...ids]);
  for (const formId of formIds) await inboundEndpoints.deleteMany({ formId: { $in: inboundSlots(formId) } });
  await webhooks.deleteMany(removed);
  for (const collection of [inboundRequests, submissions, popupCounters, formVersions])
    await collection.deleteMany(ofForms);
  await eraseTasksOfForms(collections, record, forgetReplies);
  await forms.deleteMany({ _id: { $in: formIds } });
}

/**
 * Replaces the tasks of these forms, or of the whole account, and their submissions with
 * tombstones.
 */
async function eraseTasksOfForms(
  { tasks, submissions }: Pick<ErasureCollections, 'tasks' | 'submissions'>,
  { kind, accountId, formIds, at }: ErasureRecord,
  forgetReplies: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const filter = kind === 'account' ? { accountId } : { accountId, formId: { $in: formIds } };
  for (;;) {
    const some = await tasks.find(filter, { limit: TASKS_PER_PAGE });
    if (some.length === 0) return;
    await forgetReplies(some.map(({ _id }) => _id));
    // A process that just resolved one of the tasks may be about to store its submission. Tasks
    // that are resolved meanwhile are found again.
    const submissionIds = some.flatMap(({ submissionId }) => submissionId ?? []);
    await eraseSubmissions({ submissions }, { at, submissionIds });
    await updateErased(
      tasks,
      some.map((task) => ({ filter: taskAsRead(task), update: taskTombstone(task, at) })),
    );
  }
}
