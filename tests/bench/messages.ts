/** The protocol between npm run bench and the programs of this folder. All times are `now()`. */

/** Milliseconds of the clock that all processes of this machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Where the publisher sends events. */
export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

export interface PublishCommand {
  /** Begins the id of each event. */
  run: string;
  events: number;
  connections: number;
  /** The size of the filler in each event. The rest of the event takes about 80 bytes. */
  bodyBytes: number;
  /**
   * Events per second, whatever the responses. Absent: each connection sends the next event after a
   * response.
   */
  rate?: number;
  /** The events go to these round-robin. */
  targets: readonly Target[];
}

export interface PublishResult {
  startedAt: number;
  seconds: number;
  /** Events with a 2xx response, by target. */
  accepted: Record<string, number>;
  /** Events with another response, by status; 0 stands for a failed request. */
  refused: Record<string, number>;
  /** From sending to the response, for accepted events. */
  latenciesMs: number[];
}

export type SinkCommand = 'count' | 'read' | 'reset';

/** `count` is what the sink has received of events, without duplicates and without what hangs. */
export interface SinkCount {
  count: number;
}

export interface SinkResult extends SinkCount {
  duplicates: number;
  /** Requests that never get a response. */
  hanging: number;
  lastAt: number;
  /** Connections since the last reset. */
  connections: number;
  /** From sending an event to its arrival, by path. */
  latenciesMs: Record<string, number[]>;
}

export interface SkeletonOptions {
  dataFolder: string;
  token: string;
  secret: string;
  /** Absent: events are accepted and stored only. */
  endpointUrl?: string | undefined;
}
