import type { Settings } from '@svcforms/runtime';
import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbedCdn } from '@svcforms/embed-cdn';
import { createFormsApi } from '@svcforms/forms-api';
import { formsApiConfig } from '@svcforms/forms-api/config';
import { createHitl } from '@svcforms/hitl';
import { hitlConfig } from '@svcforms/hitl/config';
import type { Service } from '@svcforms/http';
import type { Logger } from '@svcforms/primitives';
import { createInboundGateway, type InboundGatewayDeps } from '@svcforms/inbound-gateway';
import { createGuard, createGuardedClient, type Policy } from '@svcforms/outbound';
import type { SecretBox } from '@svcforms/signing';
import { createDispatcher } from '@svcforms/webhook-dispatcher';
import { dispatcherConfig, mailerOptions } from '@svcforms/webhook-dispatcher/config';
import { createMailer } from '@svcforms/webhook-dispatcher/mailer';
import { join } from 'node:path';

interface SharedDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  /** Where store and bus share a database. */
  insertWithEvents?: InboundGatewayDeps['insertWithEvents'];
  log: Logger;
}

/** All services of the product on one pair of engines, in the order in which they start; `close` ends what they share. */
export function createServices(
  settings: Settings,
  { policy, isSoleProcess }: { policy: Policy; isSoleProcess: boolean },
  shared: SharedDeps,
): { services: readonly Service[]; close: () => void } {
  const client = createGuardedClient(policy);
  const guard = createGuard(policy);
  const mailer = createMailer(mailerOptions(settings));
  return {
    services: [
      createDispatcher(dispatcherConfig(settings, { soleProcess: isSoleProcess }), {
        ...shared,
        client,
        mailer,
      }),
      createFormsApi(formsApiConfig(settings, { folder: __dirname }), {
        ...shared,
        client,
        guard,
      }),
      createInboundGateway(shared),
      // The build puts the scripts beside the program.
      createEmbedCdn({ scriptsFolder: join(__dirname, 'embed') }, shared),
      createHitl(hitlConfig(settings), { ...shared, client, guard }),
    ],
    close() {
      client.close();
      mailer.close();
    },
  };
}
