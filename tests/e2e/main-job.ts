import { productOf, type Product, type Stack } from './stack.ts';
import { accountScenarios } from './scenarios/accounts.ts';
import { closingScenarios } from './scenarios/closing.ts';
import { eventCatalogScenarios } from './scenarios/event-catalog.ts';
import { failingWebhookScenarios } from './scenarios/failing-webhooks.ts';
import { formScenarios } from './scenarios/forms.ts';
import { idempotencyScenarios } from './scenarios/idempotency.ts';
import { inboundCheckScenarios } from './scenarios/inbound-checks.ts';
import { inboundEndpointScenarios } from './scenarios/inbound-endpoint.ts';
import { inboundEndpointsScenarios } from './scenarios/inbound-endpoints.ts';
import { inboundSignatureScenarios } from './scenarios/inbound-signatures.ts';
import { inboundValueScenarios } from './scenarios/inbound-values.ts';
import { isolationScenarios } from './scenarios/isolation.ts';
import { notificationScenarios } from './scenarios/notifications.ts';
import { logicScenarios } from './scenarios/logic.ts';
import { managementScenarios } from './scenarios/management.ts';
import { problemScenarios } from './scenarios/problems.ts';
import { publishingScenarios } from './scenarios/publishing.ts';
import { retryScenarios } from './scenarios/retries.ts';
import { signedByteScenarios } from './scenarios/signed-bytes.ts';
import { submissionScenarios } from './scenarios/submissions.ts';
import { taskScenarios } from './scenarios/tasks.ts';
import { walkScenarios } from './scenarios/walk.ts';
import { webhookCareScenarios } from './scenarios/webhook-care.ts';
import { webhookRequestScenarios } from './scenarios/webhook-requests.ts';
import { webhookFilterScenarios } from './scenarios/webhook-filters.ts';
import { webhookHealthScenarios } from './scenarios/webhook-health.ts';
import { webhookScenarios } from './scenarios/webhooks.ts';

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
