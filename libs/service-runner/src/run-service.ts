import { cacheStore, readOnlyStore, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createHost, hostSettings, type Service } from '@svcforms/http';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { Logger, Tracing } from '@svcforms/primitives';
import { refuseHalfRestored } from '@svcforms/records';
import { createLogger, readSettings, requireBackends, runProcess, type Settings } from '@svcforms/runtime';
import { createSecretBox, type SecretBox } from '@svcforms/signing';
import { startTelemetry } from '@svcforms/telemetry';
import { connectBus, connectStore, natsOptions } from './backends.ts';
import { createCloser, type Closer } from './closer.ts';
import { createOutbound } from './outbound.ts';

/** What a service can ask for beyond the store, by name. */
interface Needs {
  bus: EventBus;
  secretBox: SecretBox;
  /** Checks the URLs that users enter. */
  guard: Guard;
  /** Sends requests to those URLs. */
  client: GuardedClient;
}

type ServiceDeps<N extends keyof Needs> = Pick<Needs, N> & {
  settings: Settings;
  store: DocumentStore;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
  /** A bus for broadcasts only, if the service `announces` and has the address of NATS. */
  announcements?: Pick<EventBus, 'broadcast'> | undefined;
  /** Closes what the service adds, after the service has stopped. */
  closer: Pick<Closer, 'add'>;
};

/**
 * Runs one service as this process, on MongoDB and NATS. It reads the environment, opens the
 * backends, creates the service and serves its routes; on a signal it stops the host, then closes
 * the backends. It also starts while no NATS server responds: what needs the bus then waits, as in
 * an outage. docs/adr/0045. A service requires only the settings of what it needs, so that its
 * environment needs no other secrets. docs/adr/0052
 *
 * @param needs what `create` receives beside the store, the settings and the logger
 * @param options.readOnly whether the service only reads from the store, so that its database user
 * needs no other right
 * @param options.announces whether the service gets `announcements`. It works without NATS too, so
 * `NATS_URL` is optional for it.
 */
export function runService<N extends keyof Needs = never>(
  name: string,
  needs: readonly N[],
  create: (deps: ServiceDeps<N>) => Service | Promise<Service>,
  { readOnly = false, announces = false }: { readOnly?: boolean; announces?: boolean } = {},
): void {
  const isNeeded = (need: keyof Needs) => (needs as readonly (keyof Needs)[]).includes(need);

  runProcess(name, async () => {
    const settings = readSettings(process.env);
    const isBusOpened = isNeeded('bus') || (announces && settings.NATS_URL !== undefined);
    const { natsUrl, mongoUrl, encryptionKeys } = requireBackends(settings, {
      bus: isBusOpened,
      encryptionKeys: isNeeded('secretBox'),
    });
    // A bad file or policy ends the process before it connects to anything.
    if (isBusOpened) await natsOptions(settings);
    const log = createLogger({ name, level: settings.LOG_LEVEL, to: 1 });
    const telemetry = await startTelemetry(settings, { name, busSystem: 'nats', log });
    const tracing = telemetry?.tracing;
    const outbound =
      isNeeded('guard') || isNeeded('client') ? await createOutbound(settings, tracing) : undefined;
    const closer = createCloser();
    const opened = closer.add(await connectStore(mongoUrl));
    await refuseHalfRestored(opened);
    const connected = readOnly ? readOnlyStore(opened) : opened;
    const openedBus = isBusOpened
      ? closer.add(await connectBus(natsUrl, { name, settings, log, mayBeLate: true }))
      : undefined;
    const bus = isNeeded('bus') ? openedBus : undefined;
    const store = bus ? cacheStore(connected, bus) : connected;
    if (outbound) closer.add(outbound.client);
    const secretBox = isNeeded('secretBox') ? createSecretBox(encryptionKeys) : undefined;
    const given = {
      settings,
      store,
      tracing,
      log,
      closer,
      bus,
      announcements: openedBus,
      secretBox,
      ...outbound,
    };
    const service = await create(given as unknown as ServiceDeps<N>);

    const host = createHost(
      { ...hostSettings(settings), services: [service] },
      { store, tracing, log, ...(bus && { bus }) },
    );
    await host.start();
    telemetry?.exportMetrics(host.metrics);
    return {
      async stop() {
        await host.stop();
        await telemetry?.close();
        await closer.close();
      },
    };
  });
}
