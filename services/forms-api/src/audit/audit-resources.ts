import { maySeeForm, type AuditEntryOut, type Scope } from '@svcforms/contracts';
import type { Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { auditUrl } from '@svcforms/http';
import {
  hasScope,
  type ApiKeyRecord,
  type Caller,
  type GroupRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  formOfEndpoint,
  formOf,
  type DeliveryRecord,
  type FormRecord,
  type InboundEndpointRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';

type Readable<T extends StoredDocument> = Pick<Collection<T>, 'find'>;

/** The collections of the resources that entries of the audit log are about. */
export interface AuditResourcesDeps {
  forms: Readable<FormRecord>;
  webhooks: Readable<WebhookRecord>;
  deliveries: Readable<DeliveryRecord>;
  endpoints: Readable<InboundEndpointRecord>;
  submissions: Readable<SubmissionRecord>;
  tasks: Readable<TaskRecord>;
  users: Readable<UserRecord>;
  keys: Readable<ApiKeyRecord>;
  groups: Readable<GroupRecord>;
}

type AuditTarget = AuditEntryOut['target'];
type AuditResource = NonNullable<AuditEntryOut['resource']>;

/** A resource before its form is read. */
interface Found {
  name: string | null;
  formId?: string | undefined;
  webhookId?: string;
}

/**
 * Returns a function that finds the targets of a page of the audit log as they are now. It finds
 * only what the caller could read with other calls. docs/reference/authentication.md#audit-log
 */
export function createAuditResources(deps: AuditResourcesDeps) {
  const { forms, webhooks, deliveries, endpoints, submissions, tasks, users, keys, groups } = deps;

  return async function resourcesOf(
    caller: Caller,
    targets: readonly AuditTarget[],
  ): Promise<(target: AuditTarget) => AuditResource | null> {
    const { accountId } = caller;
    const ids = new Set(targets.flatMap(({ id }) => id ?? []));

    /** The resources with ids of one kind, if the caller may read them. */
    async function read<T extends StoredDocument & { accountId: string }>(
      collection: Readable<T>,
      { prefix, scope }: { prefix: string; scope: Scope },
      found: (one: T) => Found,
    ): Promise<[string, Found][]> {
      const wanted = [...ids].filter((id) => id.startsWith(`${prefix}_`));
      if (wanted.length === 0 || !hasScope(caller, scope)) return [];
      const all = await collection.find({ _id: { $in: wanted }, accountId } as Filter<T>);
      return all.map((one) => [one._id, found(one)]);
    }

    const manageWebhooks = 'forms:webhooks:manage';
    const found = new Map<string, Found>(
      (
        await Promise.all([
          read(forms, { prefix: 'frm', scope: 'forms:read' }, (form) => ({
            name: form.name,
            formId: form._id,
          })),
          // Its path and query are often credentials.
          read(webhooks, { prefix: 'whk', scope: manageWebhooks }, (webhook) => ({
            name: auditUrl(webhook.url),
            formId: formOf(webhook),
            webhookId: webhook._id,
          })),
          read(deliveries, { prefix: 'del', scope: manageWebhooks }, (delivery) => ({
            name: null,
            formId: delivery.ofAccount ? undefined : delivery.formId,
            webhookId: delivery.webhookId,
          })),
          read(endpoints, { prefix: 'inb', scope: 'forms:inbound:manage' }, (endpoint) => ({
            name: endpoint.name ?? null,
            formId: formOfEndpoint(endpoint),
          })),
          read(submissions, { prefix: 'sub', scope: 'submissions:read' }, ({ formId }) => ({
            name: null,
            formId,
          })),
          read(tasks, { prefix: 'tsk', scope: 'tasks:read' }, ({ title, formId }) => ({
            name: title ?? null,
            formId,
          })),
          read(users, { prefix: 'usr', scope: 'users:manage' }, ({ name }) => ({ name })),
          read(keys, { prefix: 'key', scope: 'keys:manage' }, ({ name }) => ({ name })),
          read(groups, { prefix: 'grp', scope: 'users:manage' }, ({ name }) => ({ name })),
        ])
      ).flat(),
    );
    const formIds = [...new Set([...found.values()].flatMap(({ formId }) => formId ?? []))];
    const present =
      formIds.length === 0 ? [] : await forms.find({ _id: { $in: formIds }, accountId, deletedAt: null });
    const formOfId = new Map(present.map((form) => [form._id, form]));

    const delivered = [...found.values()].flatMap(
      ({ name, webhookId }) => (name === null && webhookId) || [],
    );
    const webhookIds = [...new Set(delivered)];
    const receivers =
      webhookIds.length === 0 ? [] : await webhooks.find({ _id: { $in: webhookIds }, accountId });
    const hostOf = new Map(receivers.map(({ _id, url }) => [_id, auditUrl(url)]));

    return ({ id }) => {
      const resource = id === null ? undefined : found.get(id);
      if (!resource) return null;
      const { name, formId = null, webhookId = null } = resource;
      const form = formId === null ? undefined : formOfId.get(formId);
      // What belonged to a deleted form is deleted too, maybe a little later.
      if (formId !== null && (!form || !maySeeForm(caller, form))) return null;
      const formName = (hasScope(caller, 'forms:read') && form?.name) || null;
      return { name: name ?? hostOf.get(webhookId ?? '') ?? null, formId, formName, webhookId };
    };
  };
}
