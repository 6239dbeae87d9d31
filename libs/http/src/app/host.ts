import type { DocumentStore } from '@svcforms/document-store';
import {
  createAgentAuthenticator,
  createFormAccess,
  createKeyAuthenticator,
  createSessions,
  type Caller,
} from '@svcforms/identity';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import { createApp } from './app.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createWithBody } from './large-bodies.ts';
import { createIdempotency } from './idempotency.ts';
import type { LoggedAddress } from './logged-address.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { createRateLimits, UNLIMITED, type RateLimitSettings } from '../limits/rate-limits.ts';
import { backendUp, createMetrics, type Metric } from '@svcforms/runtime';
import { createSharedAccess } from '../limits/shared-access.ts';
import type { SharedValues } from '../limits/shared-values.ts';
import type { Route } from '../routes/route.ts';
import { createHttpServer, type OpenedPort, type ServerLimits } from './server.ts';

/** The one resource that tokens of agents are for. */
const MCP_PATH = '/api/mcp';

/** A service of the product, as its factory returns it. */
export interface Service {
  /** Empty for a service that only works in the background. */
  routes: readonly Route[];
  /** Its metrics, in addition to those of every process. */
  metrics?: readonly Metric[];
  start(): Promise<void>;
  /**
   * Called when the host stops: long requests should end within this time (in milliseconds), spread
   * over it.
   */
  drain?(withinMs: number): void;
  /** Finishes the work in progress. The next process continues the rest. */
  stop(): Promise<void>;
}

export interface HostOptions {
  services: readonly Service[];
  host: string;
  port: number;
  /** In place of `host` and `port`: a port that is open already. */
  opened?: OpenedPort | undefined;
  /** The prefix of problem types. */
  baseUrl: string;
  trustedProxies: number;
  /** Default: no limits. */
  rateLimits?: RateLimitSettings;
  /** Who can read /metrics. Default: all direct clients. */
  metricsAccess?: MetricsAccess;
  /** How much of a client's address is logged. Default: all of it. */
  logClientIp?: LoggedAddress;
  /** How long audit rows are kept. Default: 400 days. */
  auditRetentionDays?: number;
  /** Overrides of the default limits. */
  limits?: Partial<ServerLimits & { checkWithinMs: number }>;
}

/**
 * What a host needs of the event bus. Without shared values, each process counts limits on its own.
 */
export interface HostBus {
  ping(): Promise<void>;
  readonly sharedValues?: SharedValues | null;
}

interface HostDeps {
  store: DocumentStore;
  /** Absent in services that don't use events. */
  bus?: HostBus;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
  now?: Clock;
}

/** Creates the host that serves one or more services on one port, with health checks. */
export function createHost(options: HostOptions, { store, bus, tracing, log, now = Date.now }: HostDeps) {
  let draining = false;
  const checks = { store: () => store.ping(), ...(bus && { bus: () => bus.ping() }) };
  const sessions = createSessions({
    store,
    now,
    onError: (error) =>
      log.warn({ event: 'session.use_not_stored', err: error }, 'storing lastSeenAt of a session failed'),
  });
  const access = createFormAccess({ store });
  const limited = (authenticate: (token: string) => Promise<Caller | null>) => async (token: string) => {
    const caller = await authenticate(token);
    return caller && access.limit(caller);
  };
  const onUseNotStored = (error: unknown) =>
    log.warn({ event: 'key.use_not_stored', err: error }, 'storing lastUsedAt of a key or agent failed');
  const metrics = createMetrics([
    backendUp(checks),
    ...options.services.flatMap((service) => service.metrics ?? []),
  ]);
  const app = createApp(
    {
      routes: options.services.flatMap((service) => service.routes),
      baseUrl: options.baseUrl,
      trustedProxies: options.trustedProxies,
      checks,
      isDraining: () => draining,
      metricsAccess: options.metricsAccess,
      logClientIp: options.logClientIp,
      checkWithinMs: options.limits?.checkWithinMs,
    },
    {
      authenticate: limited(createKeyAuthenticator({ store, now, onError: onUseNotStored })),
      authenticateAgent: limited(
        createAgentAuthenticator({
          store,
          resource: `${options.baseUrl}${MCP_PATH}`,
          now,
          onError: onUseNotStored,
        }),
      ),
      authenticateSession: limited((token) => sessions.authenticate(token)),
      now,
      withBody: createWithBody(),
      runOnce: createIdempotency({ store, now }),
      audit: createAuditLog({ store, log, now, retentionDays: options.auditRetentionDays }),
      rateLimits: createRateLimits(
        options.rateLimits ?? UNLIMITED,
        bus?.sharedValues ? createSharedAccess(bus.sharedValues, log) : undefined,
      ),
      metrics,
      tracing,
      log,
    },
  );
  const server = createHttpServer(app, options.limits);
  return {
    /** Of all services and of the process. */
    metrics,
    /**
     * Creates indexes, starts the services, then listens. Resolves with the port; rejects with an
     * error that has the system's code (`EADDRINUSE`, …).
     */
    async start(): Promise<number> {
      await store.ensureIndexes();
      for (const service of options.services) await service.start();
      const port = await server.listen(options);
      log.info({ event: 'host.listening', host: options.host, port }, 'listening');
      return port;
    },
    /**
     * Turns readiness off, stops accepting connections, finishes requests in progress, then stops
     * the services.
     */
    async stop(): Promise<void> {
      draining = true;
      log.info({ event: 'host.stopping' }, 'stopping');
      for (const service of options.services) service.drain?.(server.drainWithinMs);
      await server.close();
      for (const service of options.services.toReversed()) await service.stop();
    },
  };
}
