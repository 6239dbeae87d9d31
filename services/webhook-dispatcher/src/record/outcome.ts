/** The endpoint asked to pause its webhook until then: milliseconds since the epoch. */
interface Pause {
  pauseUntil?: number;
}

/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { kind: 'delivered' }
  | ({
      kind: 'retry';
      /** Milliseconds since the epoch. */
      at: number;
    } & Pause)
  | ({ kind: 'failed' } & Pause)
  /** The endpoint returned 410 Gone: this delivery has failed, and its webhook is disabled. */
  | { kind: 'gone' };
