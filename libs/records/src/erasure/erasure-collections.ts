import type { DocumentStore } from '@svcforms/document-store';
import { DELIVERIES } from '../collections/delivery.ts';
import { FORMS } from '../collections/form.ts';
import { FORM_VERSIONS } from '../collections/form-version.ts';
import { INBOUND_ENDPOINTS } from '../collections/inbound-endpoint.ts';
import { INBOUND_REQUESTS } from '../collections/inbound-request.ts';
import { POPUP_COUNTERS } from '../collections/popup-counter.ts';
import { SUBMISSIONS } from '../collections/submission.ts';
import { TASKS } from '../collections/task.ts';
import { WEBHOOK_HEALTH } from '../collections/webhook-health.ts';
import { WEBHOOKS } from '../collections/webhook.ts';
import { ERASURES } from './erasure-record.ts';

/** The collections that an erasure changes. */
export function openErasureCollections(store: Pick<DocumentStore, 'collection'>) {
  return {
    erasures: store.collection(ERASURES),
    submissions: store.collection(SUBMISSIONS),
    tasks: store.collection(TASKS),
    deliveries: store.collection(DELIVERIES),
    webhooks: store.collection(WEBHOOKS),
    webhookHealth: store.collection(WEBHOOK_HEALTH),
    forms: store.collection(FORMS),
    formVersions: store.collection(FORM_VERSIONS),
    inboundEndpoints: store.collection(INBOUND_ENDPOINTS),
    inboundRequests: store.collection(INBOUND_REQUESTS),
    popupCounters: store.collection(POPUP_COUNTERS),
  };
}

export type ErasureCollections = ReturnType<typeof openErasureCollections>;
