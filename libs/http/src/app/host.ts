import type { DocumentStore } from '@svcforms/document-store';
import { createKeyAuthenticator, createSessions } from '@svcforms/identity';
import type { Logger } from '@svcforms/primitives';
import { createApp } from './app.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createIdempotency } from './idempotency.ts';
import type { LoggedAddress } from './logged-address.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { createRateLimits, UNLIMITED, type RateLimitSettings } from '../limits/rate-limits.ts';
import { createMetrics, type Metric } from '@svcforms/runtime';
import type { Route } from '../routes/route.ts';
import { createHttpServer, type ServerLimits } from './server.ts';

/** What every `createService(config, deps)` returns. */
export interface Service {
  /** Its calls; empty for one that only works in the background. */
  routes: readonly Route[];
  /** What it tells at /metrics beside what every process does. */
  metrics?: readonly Metric[];
  start(): Promise<void>;
  /** The host stops: requests that would last end within this time (milliseconds), not all at once. */
  drain?(withinMs: number): void;
  /** Ends the work under way; what it can't end is there for the next process. */
  stop(): Promise<void>;
}

export interface HostOptions {
  services: readonly Service[];
  host: string;
  port: number;
  /** What problem types begin with. */
  baseUrl: string;
  trustedProxies: number;
  /** Absent: no limits. */
  rateLimits?: RateLimitSettings;
  /** Who may read /metrics. Absent: whoever comes directly. */
  metricsAccess?: MetricsAccess;
  /** How much of clients' addresses the request log has. Absent: all. */
  logClientIp?: LoggedAddress;
  /** How long rows of the audit log are kept. Absent: 400 days. */
  auditRetentionDays?: number;
  /** Where the usual ones don't fit. */
  limits?: Partial<ServerLimits & { checkWithinMs: number }>;
}

export interface HostDeps {
  store: DocumentStore;
  /** Absent in services that have nothing to do with events. */
  bus?: { ping(): Promise<void> };
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Serves the calls of one or more services on one port, with health, until it is stopped. */
export function createHost(options: HostOptions, { store, bus, log, now = Date.now }: HostDeps) {
  let draining = false;
  const sessions = createSessions({ store, now });
  const app = createApp(
    {
      routes: options.services.flatMap((service) => service.routes),
      baseUrl: options.baseUrl,
      trustedProxies: options.trustedProxies,
      checks: { store: () => store.ping(), ...(bus && { bus: () => bus.ping() }) },
      isDraining: () => draining,
      metricsAccess: options.metricsAccess,
      logClientIp: options.logClientIp,
      checkWithinMs: options.limits?.checkWithinMs,
    },
    {
      authenticate: createKeyAuthenticator({
        store,
        now,
        onError: (error) =>
          log.warn({ event: 'key.use_not_stored', err: error }, 'lastUsedAt of a key could not be stored'),
      }),
      authenticateSession: (token) => sessions.authenticate(token),
      now,
      runOnce: createIdempotency({ store, now }),
      audit: createAuditLog({ store, log, now, retentionDays: options.auditRetentionDays }),
      rateLimits: createRateLimits(options.rateLimits ?? UNLIMITED),
      metrics: createMetrics(options.services.flatMap((service) => service.metrics ?? [])),
      log,
    },
  );
  const server = createHttpServer(app, options.limits);
  return {
    /** Makes the indexes, starts the services, then listens; resolves with the port. Rejects with the system's error (`EADDRINUSE`, …). */
    async start(): Promise<number> {
      await store.ensureIndexes();
      for (const service of options.services) await service.start();
      const port = await server.listen(options);
      log.info({ event: 'host.listening', host: options.host, port }, 'listening');
      return port;
    },
    /** Readiness off, no new connections, requests under way ended, then the services. */
    async stop(): Promise<void> {
      draining = true;
      log.info({ event: 'host.stopping' }, 'stopping');
      for (const service of options.services) service.drain?.(server.drainWithinMs);
      await server.close();
      for (const service of options.services.toReversed()) await service.stop();
    },
  };
}
