import type { Settings } from '@svcforms/contracts';

export interface DispatcherConfig {
  /** Pauses between the attempts of a delivery. */
  retryScheduleSeconds: readonly number[];
  /** How long one attempt may take in all. */
  deliveryTimeoutMs: number;
  /** No other process works on this store: leases that are there at the start are a dead process's. */
  soleProcess: boolean;
}

/** Of the environment, what the dispatcher reads. */
export function dispatcherConfig(
  settings: Settings,
  { soleProcess }: { soleProcess: boolean },
): DispatcherConfig {
  return {
    retryScheduleSeconds: settings.SVC_RETRY_SCHEDULE,
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    soleProcess,
  };
}
