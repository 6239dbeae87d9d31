import type { PageQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type Reply } from '@svcforms/http';
import type { Guard } from '@svcforms/outbound';
import type { PayloadRenderer } from '@svcforms/payload-formats';
import type { Clock } from '@svcforms/primitives';
import {
  type DeliveryRecord,
  type Eraser,
  formOf,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { createWebhookCreation } from './create-webhook.ts';
import { ownWebhook, scopeIdOf, type WebhookRequest, type WebhooksRequest } from './own-webhook.ts';
import { createWebhookUpdates } from './update-webhook.ts';
import { createWebhooksOut } from './webhook-out.ts';

export interface WebhooksDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Collection<DeliveryRecord>;
  eraser: Pick<Eraser, 'webhook'>;
  secretBox: SecretBox;
  guard: Guard;
  /** Checks and renders payload settings. */
  renderer: PayloadRenderer;
  now: Clock;
}

/**
 * The webhooks of a form or of an account. docs/reference/webhooks.md#webhook-object and
 * docs/reference/webhooks.md#account-webhooks
 */
export function createWebhooks(deps: WebhooksDeps) {
  const { webhooks, eraser } = deps;
  const webhooksOut = createWebhooksOut(deps);

  return {
    ...createWebhookCreation(deps),
    ...createWebhookUpdates(deps),

    list: async ({ params, query, caller }: WebhooksRequest<PageQuery>): Promise<Reply> => {
      const formId = await scopeIdOf(deps, caller, params);
      const { items, pagination } = await findPage(webhooks, { formId }, { prefix: 'whk', ...query });
      return { data: await webhooksOut(items), pagination };
    },

    get: async ({ params, caller }: WebhookRequest): Promise<Reply> => {
      const [data] = await webhooksOut([await ownWebhook(deps, caller, params)]);
      return { data };
    },

    remove: async ({ params, caller, note, audit }: WebhookRequest): Promise<Reply> => {
      const webhook = await ownWebhook(deps, caller, params);
      await eraser.webhook(webhook, () => audit({}));
      note({ event: 'webhook.deleted', formId: formOf(webhook), webhookId: webhook._id });
      return {};
    },
  };
}
