import { productOf, type Product, type Stack } from './stack.ts';
import { accountStories } from './stories/accounts.ts';
import { failingWebhookStories } from './stories/failing-webhooks.ts';
import { formStories } from './stories/forms.ts';
import { idempotencyStories } from './stories/idempotency.ts';
import { inboundCheckStories } from './stories/inbound-checks.ts';
import { inboundEndpointStories } from './stories/inbound-endpoint.ts';
import { inboundEndpointsStories } from './stories/inbound-endpoints.ts';
import { inboundSignatureStories } from './stories/inbound-signatures.ts';
import { inboundValueStories } from './stories/inbound-values.ts';
import { isolationStories } from './stories/isolation.ts';
import { notificationStories } from './stories/notifications.ts';
import { managementStories } from './stories/management.ts';
import { problemStories } from './stories/problems.ts';
import { retryStories } from './stories/retries.ts';
import { signedByteStories } from './stories/signed-bytes.ts';
import { submissionStories } from './stories/submissions.ts';
import { taskStories } from './stories/tasks.ts';
import { walkStories } from './stories/walk.ts';
import { webhookCareStories } from './stories/webhook-care.ts';
import { webhookStories } from './stories/webhooks.ts';

/** Everything that the main job promises, told through the product's own doors, whatever it is put together from. */
const STORIES: readonly ((product: () => Product) => void)[] = [
  walkStories,
  accountStories,
  formStories,
  submissionStories,
  inboundCheckStories,
  inboundSignatureStories,
  inboundValueStories,
  inboundEndpointStories,
  inboundEndpointsStories,
  webhookStories,
  webhookCareStories,
  failingWebhookStories,
  notificationStories,
  signedByteStories,
  retryStories,
  taskStories,
  idempotencyStories,
  problemStories,
  managementStories,
  isolationStories,
];

/** The one end-to-end suite; each harness says how its stack is started. */
export function describeMainJob(title: string, start: () => Promise<Stack>): void {
  describe(title, () => {
    let stack: Stack | undefined;
    let product: Product | undefined;

    beforeAll(async () => {
      stack = await start();
      product = productOf(stack);
    }, 300_000);

    afterAll(() => stack?.stop(), 60_000);

    for (const stories of STORIES) {
      stories(() => {
        if (!product) throw new Error('the stack did not start');
        return product;
      });
    }
  });
}
