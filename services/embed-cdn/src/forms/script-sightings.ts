import { setBounded, type Clock } from '@svcforms/primitives';
import { originHost, scriptSightingMessage } from '@svcforms/records';

/** Equals how long browsers cache a form, so that a page whose visitors return is seen again. */
const INTERVAL_MS = 60_000;
/** The maximum number of remembered forms. */
const MAX_KEPT = 5000;

export interface ScriptSightingsDeps {
  /** Absent where the service has no bus: nothing is reported. */
  broadcast?: ((message: string) => Promise<void>) | undefined;
  now: Clock;
}

/**
 * Returns a function that reports that a page requested a form. It reports a form at most once a
 * minute, only the host of the page's origin, and never delays or fails the request: a lost report
 * is followed by the next one. ADR 0085
 */
export function createScriptSightings({
  broadcast,
  now,
}: ScriptSightingsDeps): (formId: string, origin: string | undefined) => void {
  const nextAt = new Map<string, number>();

  return (formId, origin) => {
    if (!broadcast) return;
    const at = now();
    if ((nextAt.get(formId) ?? 0) > at) return;
    const host = originHost(origin);
    if (host === null) return;
    setBounded(nextAt, formId, at + INTERVAL_MS, MAX_KEPT);
    // Only the next sighting is lost while the bus is unavailable.
    broadcast(scriptSightingMessage({ formId, host })).catch(() => nextAt.delete(formId));
  };
}
