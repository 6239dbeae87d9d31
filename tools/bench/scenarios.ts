/** The path of each target at the sink; null for a form without webhooks. */
export const SINK_PATHS = {
  good: '/ok/good',
  /** Its requests never get a response. */
  hang: '/hang/bad',
  /** Its webhooks' names have name servers that never respond, so nothing arrives. */
  dead: '/ok/dead',
  unheard: null,
} as const;

export type TargetName = keyof typeof SINK_PATHS;

export interface Scenario {
  events: number;
  connections: number;
  /** Events per second; absent for as many as possible. */
  rate?: number;
  /** The events go to these round-robin. */
  targets: readonly TargetName[];
  /** The skeleton has no isolation between webhooks to compare. */
  hasReference: boolean;
  /** The wait for deliveries ends when none arrives for this time. */
  quietSeconds: number;
}

const AT_RATE = { events: 1500, rate: 50, connections: 32 };

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  // At fewer events, a third of the CPU time is V8 compiling.
  throughput: { events: 20_000, connections: 32, targets: ['good'], hasReference: true, quietSeconds: 40 },
  memory: { events: 60_000, connections: 32, targets: ['good'], hasReference: false, quietSeconds: 40 },
  rate: { ...AT_RATE, targets: ['good'], hasReference: true, quietSeconds: 40 },
  noisy: { ...AT_RATE, targets: ['good', 'hang'], hasReference: false, quietSeconds: 5 },
  deadnames: { ...AT_RATE, targets: ['good', 'dead'], hasReference: false, quietSeconds: 5 },
  accept: { events: 20_000, connections: 64, targets: ['unheard'], hasReference: true, quietSeconds: 1 },
};

export const QUICK_SCENARIOS: Readonly<Record<string, Scenario>> = {
  throughput: { events: 4000, connections: 32, targets: ['good'], hasReference: true, quietSeconds: 10 },
};

/** The pauses of a measurement, in seconds. */
export interface Pauses {
  afterWarmUp: number;
  /** How long the idle CPU usage is measured. */
  idle: number;
  /** After the last delivery, until late work such as log batches is done. */
  settle: number;
}

export const PAUSES: Pauses = { afterWarmUp: 2, idle: 8, settle: 12 };
export const QUICK_PAUSES: Pauses = { afterWarmUp: 1, idle: 2, settle: 3 };
