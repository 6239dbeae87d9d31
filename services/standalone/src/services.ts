import { createEmbedCdn } from '@svcforms/embed-cdn';
import { createFormsApi } from '@svcforms/forms-api';
import { formsApiConfig } from '@svcforms/forms-api/config';
import { createHitl } from '@svcforms/hitl';
import { hitlConfig } from '@svcforms/hitl/config';
import type { Service } from '@svcforms/http';
import { createInboundGateway } from '@svcforms/inbound-gateway';
import type { PasswordHasher } from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { Logger, Tracing } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';
import type { SecretBox } from '@svcforms/signing';
import { createDispatcher } from '@svcforms/webhook-dispatcher';
import { dispatcherConfig, mailerOptions } from '@svcforms/webhook-dispatcher/config';
import { createMailer } from '@svcforms/webhook-dispatcher/mailer';
import { join } from 'node:path';
import type { Backends } from './backends.ts';

interface SharedDeps extends Omit<Backends, 'close'> {
  guard: Guard;
  client: GuardedClient;
  secretBox: SecretBox;
  /** Default: full cost. */
  passwords?: PasswordHasher;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
}

/**
 * Creates all services of the product on one store and one bus, in the order in which they start.
 * `close` closes the outbound client and the mailer, which they share.
 */
export function createServices(
  settings: Settings,
  { isEmbeddedStore, ...shared }: SharedDeps,
): { services: readonly Service[]; close: () => void } {
  const mailer = createMailer(mailerOptions(settings));
  return {
    services: [
      createDispatcher(dispatcherConfig(settings, { soleProcess: isEmbeddedStore }), { ...shared, mailer }),
      createFormsApi(formsApiConfig(settings, { folder: __dirname }), shared),
      createInboundGateway(shared),
      // The build puts the scripts beside the program.
      createEmbedCdn({ scriptsFolder: join(__dirname, 'embed') }, shared),
      createHitl(hitlConfig(settings), shared),
    ],
    close() {
      shared.client.close();
      mailer.close();
    },
  };
}
