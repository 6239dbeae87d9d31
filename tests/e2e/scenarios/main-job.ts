import { productOf, type Product, type Stack } from '../stack.ts';
import { accountScenarios } from './accounts.ts';
import { closingScenarios } from './closing.ts';
import { eventCatalogScenarios } from './event-catalog.ts';
import { failingWebhookScenarios } from './failing-webhooks.ts';
import { formScenarios } from './forms.ts';
import { idempotencyScenarios } from './idempotency.ts';
import { inboundCheckScenarios } from './inbound-checks.ts';
import { inboundEndpointScenarios } from './inbound-endpoint.ts';
import { inboundEndpointsScenarios } from './inbound-endpoints.ts';
import { inboundSignatureScenarios } from './inbound-signatures.ts';
import { inboundValueScenarios } from './inbound-values.ts';
import { isolationScenarios } from './isolation.ts';
import { notificationScenarios } from './notifications.ts';
import { logicScenarios } from './logic.ts';
import { managementScenarios } from './management.ts';
import { problemScenarios } from './problems.ts';
import { publishingScenarios } from './publishing.ts';
import { retryScenarios } from './retries.ts';
import { signedByteScenarios } from './signed-bytes.ts';
import { submissionScenarios } from './submissions.ts';
import { taskScenarios } from './tasks.ts';
import { walkScenarios } from './walk.ts';
import { webhookCareScenarios } from './webhook-care.ts';
import { webhookRequestScenarios } from './webhook-requests.ts';
import { webhookFilterScenarios } from './webhook-filters.ts';
import { webhookHealthScenarios } from './webhook-health.ts';
import { webhookScenarios } from './webhooks.ts';

/** The main end-to-end scenarios, which use only the public interfaces of the product. */
const SCENARIOS: readonly ((product: () => Product) => void)[] = [
  walkScenarios,
  accountScenarios,
  formScenarios,
  publishingScenarios,
  closingScenarios,
  submissionScenarios,
  logicScenarios,
  inboundCheckScenarios,
  inboundSignatureScenarios,
  inboundValueScenarios,
  inboundEndpointScenarios,
  inboundEndpointsScenarios,
  webhookScenarios,
  webhookRequestScenarios,
  webhookCareScenarios,
  webhookFilterScenarios,
  eventCatalogScenarios,
  webhookHealthScenarios,
  failingWebhookScenarios,
  notificationScenarios,
  signedByteScenarios,
  retryScenarios,
  taskScenarios,
  idempotencyScenarios,
  problemScenarios,
  managementScenarios,
  isolationScenarios,
];

/** The end-to-end suite; each harness provides a function that starts its stack. */
export function describeMainJob(title: string, start: () => Promise<Stack>): void {
  describe(title, () => {
    let stack: Stack | undefined;
    let product: Product | undefined;

    beforeAll(async () => {
      stack = await start();
      product = productOf(stack);
    }, 300_000);

    afterAll(() => stack?.stop(), 60_000);

    for (const scenarios of SCENARIOS) {
      scenarios(() => {
        if (!product) throw new Error('the stack did not start');
        return product;
      });
    }
  });
}
