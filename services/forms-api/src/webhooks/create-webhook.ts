import type { AccountWebhookIn } from '@svcforms/contracts';
import type { Reply } from '@svcforms/http';
import { isoTime } from '@svcforms/primitives';
import { formOf, type WebhookRecord, webhookSecretContext } from '@svcforms/records';
import { generateWebhookSecret } from '@svcforms/signing';
import { checkTarget } from './check-target.ts';
import { headerChanges, sealHeaders } from './headers.ts';
import { insertWebhook } from './insert-webhook.ts';
import { ownForms, scopeIdOf, type WebhooksRequest } from './own-webhook.ts';
import { readPayload } from './payload-setting.ts';
import { secretLast4 } from './secret-last4.ts';
import { newSigningKey } from './signing-key.ts';
import { webhookChanges } from './webhook-changes.ts';
import { createWebhooksOut } from './webhook-out.ts';
import type { WebhooksDeps } from './webhooks.ts';

/** The handler that creates webhooks. */
export function createWebhookCreation(deps: WebhooksDeps) {
  const { forms, webhooks, secretBox, guard, renderer, now } = deps;
  const webhooksOut = createWebhooksOut(deps);

  return {
    create: async (request: WebhooksRequest<unknown, AccountWebhookIn>): Promise<Reply> => {
      const { params, body, caller, newId, note, audit } = request;
      const formId = await scopeIdOf(deps, caller, params);
      const listed = body.forms ? await ownForms(forms, caller, body.forms) : undefined;
      await checkTarget(guard, caller, body.url);
      const payload = await readPayload(renderer, caller, body.payload);
      const _id = newId('whk');
      const createdAt = isoTime(now());
      const secret = body.secret || generateWebhookSecret();
      const headers = sealHeaders(secretBox, _id, body.headers);
      const webhook: WebhookRecord = {
        _id,
        accountId: caller.accountId,
        formId,
        ...(listed === undefined ? {} : { forms: listed }),
        url: body.url,
        events: body.events,
        isEnabled: body.isEnabled,
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.rateLimitPerSecond ? { rateLimitPerSecond: body.rateLimitPerSecond } : {}),
        ...(body.filter ? { filter: body.filter, filteredCount: 0 } : {}),
        ...(payload ? { payload } : {}),
        secret: secretBox.seal(secret, webhookSecretContext(_id)),
        secretLast4: secretLast4(secret),
        ...(headers && { headers }),
        ...(body.isPublicKeySigned && { signingKey: newSigningKey(secretBox, _id) }),
        disabledReason: body.isEnabled ? null : 'manual',
        disabledAt: body.isEnabled ? null : createdAt,
        failingSince: null,
        consecutiveFailures: 0,
        lastAttemptAt: null,
        lastStatus: null,
        createdAt,
        updatedAt: createdAt,
      };
      const stored = await insertWebhook(webhooks, webhook);
      note({ event: 'webhook.created', formId: formOf(stored), webhookId: _id });
      const names = Object.keys(body.headers ?? {});
      const signed = body.isPublicKeySigned && { isPublicKeySigned: { to: true } };
      audit({
        target: { id: _id },
        changes: { ...webhookChanges({}, stored), ...headerChanges([], names), ...signed },
      });
      const [out] = await webhooksOut([stored]);
      const path = params.formId === undefined ? '/api/webhooks' : `/api/forms/${formId}/webhooks`;
      return {
        data: { ...out, secret: secretBox.open(stored.secret, webhookSecretContext(_id)) },
        headers: { Location: `${path}/${_id}` },
      };
    },
  };
}
