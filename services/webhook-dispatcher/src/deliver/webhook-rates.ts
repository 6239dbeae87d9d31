import { hash } from 'node:crypto';
import type { SharedAccess } from '@svcforms/http';

/**
 * Slots are reserved this far ahead, so that a high rate doesn't ask the backend for each attempt.
 */
const AHEAD_MS = 250;
/** A slot that this process missed can still be used for this long. */
const KEPT_MS = 1_000;
/** Without attempts for this long, the next one may start at once; no rate has longer intervals. */
const FORGET_MS = 60_000;

/**
 * The rate limits of webhooks: attempts start in slots, evenly spaced over all processes. ADR 0071
 */
export interface WebhookRates {
  /**
   * Takes a slot that has begun and returns 0, or takes nothing and returns in how many
   * milliseconds the next one begins. `perSecond`: attempts per second. `waiting`: how many
   * deliveries this process has for the webhook.
   */
  take(webhookId: string, options: { perSecond: number; waiting: number }): Promise<number>;
}

/** What this process knows about the slots of a webhook. */
interface Pace {
  readonly key: string;
  /** When the slots begin that this process has reserved, by its own clock, earliest first. */
  slots: number[];
  /**
   * When the next slot that nobody has reserved begins, by the clock of the backend, and the
   * revision of that value.
   */
  freeAt: number;
  revision: string | null;
  /** The running reservation, on which all attempts wait. */
  reserving: Promise<void> | undefined;
}

/**
 * Without `shared`, and while the shared values are unavailable, each process counts alone.
 * @param deps.now milliseconds of a monotonic clock, so that setting the system's clock delays no
 * webhook
 */
export function createWebhookRates({
  shared,
  now = () => performance.now(),
}: {
  shared: SharedAccess | undefined;
  now?: () => number;
}): WebhookRates {
  const paces = new Map<string, Pace>();
  const sharedNow = () => (shared ? shared.now() : now());

  function paceOf(webhookId: string): Pace {
    const known = paces.get(webhookId);
    if (known) return known;
    const unused = sharedNow() - FORGET_MS;
    for (const [id, pace] of paces) if (pace.freeAt < unused && !pace.reserving) paces.delete(id);
    const key = `rate-${hash('sha256', webhookId, 'base64url').slice(0, 22)}`;
    const pace: Pace = { key, slots: [], freeAt: 0, revision: null, reserving: undefined };
    paces.set(webhookId, pace);
    return pace;
  }

  /** A shared clock that went back must not keep a webhook waiting. */
  function beginOf(pace: Pace, at: number): number {
    return Math.max(at, Math.min(pace.freeAt, at + FORGET_MS));
  }

  /**
   * Reserves `lengthMs` for this process in the shared value. Returns when that begins, by the
   * clock of the backend.
   */
  async function reserveShared(
    pace: Pace,
    lengthMs: number,
    { access, isOver }: { access: SharedAccess; isOver: () => boolean },
  ): Promise<number> {
    for (;;) {
      const beginsAt = beginOf(pace, access.now());
      const freeAt = beginsAt + lengthMs;
      const { key, revision } = pace;
      const replaced = await access.values.replace(key, String(freeAt), { revision, ttlMs: FORGET_MS });
      if (isOver()) return beginsAt;
      if (replaced !== null) {
        Object.assign(pace, { freeAt, revision: replaced });
        return beginsAt;
      }
      const found = await access.values.read(key);
      if (isOver()) return beginsAt;
      pace.revision = found?.revision ?? null;
      if (found) pace.freeAt = Number(found.text) || 0;
    }
  }

  function reserveLocally(pace: Pace, lengthMs: number): number {
    const beginsAt = beginOf(pace, sharedNow());
    pace.freeAt = beginsAt + lengthMs;
    return beginsAt;
  }

  async function reserve(pace: Pace, count: number, intervalMs: number): Promise<void> {
    const lengthMs = count * intervalMs;
    const beginsAt =
      shared && !shared.isAway()
        ? await shared
            .run((isOver) => reserveShared(pace, lengthMs, { access: shared, isOver }))
            .catch(() => reserveLocally(pace, lengthMs))
        : reserveLocally(pace, lengthMs);
    const ahead = now() - sharedNow();
    pace.slots.push(...Array.from({ length: count }, (_, n) => beginsAt + ahead + n * intervalMs));
  }

  return {
    async take(webhookId, { perSecond, waiting }) {
      const pace = paceOf(webhookId);
      for (;;) {
        const at = now();
        while (pace.slots[0] !== undefined && pace.slots[0] < at - KEPT_MS) pace.slots.shift();
        const [next] = pace.slots;
        if (next !== undefined) {
          if (next > at) return next - at;
          pace.slots.shift();
          return 0;
        }
        // No more than it has deliveries for: other processes may need the rest.
        const count = Math.max(1, Math.min(waiting, Math.floor((perSecond * AHEAD_MS) / 1000)));
        pace.reserving ??= reserve(pace, count, 1000 / perSecond).finally(() => (pace.reserving = undefined));
        await pace.reserving;
      }
    },
  };
}
