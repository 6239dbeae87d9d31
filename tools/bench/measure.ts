import { lstatSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { now, type PublishCommand, type PublishResult, type SinkResult } from '../../tests/bench/messages.ts';
import { cpuSecondsOf, memoryKiBOf } from '../lib/process-usage.ts';
import { percentile, rounded } from '../lib/statistics.ts';
import type { Publisher, Sink } from './programs.ts';
import { SINK_PATHS, type Pauses, type Scenario, type TargetName } from './scenarios.ts';
import type { Subject } from './subjects.ts';

type ByProcess = Record<string, number>;

interface Latencies {
  n: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
  /** How many took at most this many ms, and more than the bound before. */
  histogram: Record<string, number>;
}

/** One line of the output. CPU counts all processes of the subject; memory is PSS. */
export interface Measurement {
  accepted: number;
  refused: Record<string, number>;
  delivered: number;
  /** Accepted events that should have been delivered and weren't. */
  missing: number;
  twice_events: number;
  /** Requests that reached the endpoint which never responds. */
  hanging: number;
  sink_connections: number;
  publish_s: number;
  publish_per_s: number;
  delivered_per_s: number | null;
  /** From sending an event to its 2xx response. */
  publish_ack: Latencies;
  /** From sending an event to its arrival at the sink, by target. */
  publish_to_sink: Record<string, Latencies>;
  /** Per 1 000 delivered events, or accepted ones where none is delivered. */
  cpu_s_per_1000: {
    /** Until the last delivery. */
    to_drain: ByProcess;
    /** Until late work is done, without what the processes use when idle. */
    settled_minus_idle: ByProcess;
    publisher_and_sink: number;
  };
  idle_cpu_cores: ByProcess;
  /** Used during the run by processes that don't belong to the benchmark. */
  other_load_cores: number;
  memory_before_mb: ByProcess;
  memory_after_mb: ByProcess;
  /** Size of the data folder per accepted event; null for data in containers. */
  disk_bytes_per_event: number | null;
}

const WARM_UP_EVENTS = 100;
const BODY_BYTES = 1000;
const MAX_WAIT_MS = 180_000;
const HISTOGRAM_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, Infinity];

/** Runs a scenario on a subject that was started for it, and stops the subject. */
export async function measure(
  subject: Subject,
  scenario: Scenario,
  { publisher, sink, pauses }: { publisher: Publisher; sink: Sink; pauses: Pauses },
): Promise<Measurement> {
  const { pids, targets, dataFolder } = subject;
  const { connections, events, rate, quietSeconds } = scenario;
  const run = Math.round(now()).toString(36);
  const load = { connections, bodyBytes: BODY_BYTES };
  const isDelivered = (target: string) => target === 'good';
  const memoryBefore = memoryOf(pids);

  await sink.reset();
  const warmUp: PublishCommand = {
    ...load,
    run: `${run}w`,
    events: WARM_UP_EVENTS,
    connections: 1,
    targets: targets.slice(0, 1),
  };
  const warm = await publisher.publish(warmUp);
  if (Object.keys(warm.refused).length > 0)
    throw new Error(`the warm-up was refused with status ${Object.keys(warm.refused).join(', ')}`);
  if (isDelivered(targets[0]?.name ?? '')) await waitForDeliveries(sink, WARM_UP_EVENTS, quietSeconds);
  await pause(pauses.afterWarmUp * 1000);
  await sink.reset();

  const idleBefore = cpuOf(pids);
  await pause(pauses.idle * 1000);
  const idleCores = mapped(idleBefore, (used, name) => (cpuSeconds(pids, name) - used) / pauses.idle);

  const before = takeSnapshot(pids, publisher, sink);
  const command: PublishCommand = { ...load, run, events, targets };
  if (rate !== undefined) command.rate = rate;
  const published = await publisher.publish(command);
  const due = sum(Object.entries(published.accepted).map(([name, count]) => (isDelivered(name) ? count : 0)));
  await waitForDeliveries(sink, due, quietSeconds);
  const drained = takeSnapshot(pids, publisher, sink);
  await pause(pauses.settle * 1000);
  const settled = takeSnapshot(pids, publisher, sink);
  const received = await sink.read();

  const memoryAfter = memoryOf(pids);
  // Afterwards, the databases have no write-ahead log beside them.
  await subject.stop();

  const accepted = sum(Object.values(published.accepted));
  const per1000 = (received.count || accepted) / 1000;
  const idleShare = (name: string) => ((idleCores[name] ?? 0) * (settled.at - before.at)) / 1000;
  const driverCpu = drained.driverCpu - before.driverCpu;
  const subjectCpu = sum(Object.values(drained.cpu)) - sum(Object.values(before.cpu));
  const otherCpu = drained.machineCpu - before.machineCpu - driverCpu - subjectCpu;
  return {
    accepted,
    refused: published.refused,
    delivered: received.count,
    missing: due - received.count,
    twice_events: received.duplicates,
    hanging: received.hanging,
    sink_connections: received.connections,
    publish_s: rounded(published.seconds, 2),
    publish_per_s: rounded(accepted / published.seconds, 1),
    delivered_per_s: deliveredPerSecond(published, received),
    publish_ack: summaryOf(published.latenciesMs),
    publish_to_sink: Object.fromEntries(
      targets.map(({ name }) => [
        name,
        summaryOf(received.latenciesMs[SINK_PATHS[name as TargetName] ?? ''] ?? []),
      ]),
    ),
    cpu_s_per_1000: {
      to_drain: mapped(drained.cpu, (used, name) => rounded((used - (before.cpu[name] ?? 0)) / per1000, 3)),
      settled_minus_idle: mapped(settled.cpu, (used, name) =>
        rounded(Math.max(0, used - (before.cpu[name] ?? 0) - idleShare(name)) / per1000, 3),
      ),
      publisher_and_sink: rounded(driverCpu / per1000, 3),
    },
    idle_cpu_cores: mapped(idleCores, (cores) => rounded(cores, 3)),
    other_load_cores: rounded(Math.max(0, otherCpu / ((drained.at - before.at) / 1000)), 2),
    memory_before_mb: memoryBefore,
    memory_after_mb: memoryAfter,
    disk_bytes_per_event:
      dataFolder === undefined ? null : Math.round(sizeOf(dataFolder) / (accepted + WARM_UP_EVENTS)),
  };
}

interface Snapshot {
  at: number;
  cpu: ByProcess;
  /** Of the publisher and the sink. */
  driverCpu: number;
  machineCpu: number;
}

function takeSnapshot(pids: ByProcess, publisher: Publisher, sink: Sink): Snapshot {
  const machineCpu = sum(cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq)) / 1000;
  const driverCpu = cpuSecondsOf(publisher.pid) + cpuSecondsOf(sink.pid);
  return { at: now(), cpu: cpuOf(pids), driverCpu, machineCpu };
}

/** Waits until this many events are delivered, or none was for some time. */
async function waitForDeliveries(sink: Sink, due: number, quietSeconds: number): Promise<void> {
  const endsAt = now() + MAX_WAIT_MS;
  let last = { count: -1, at: now() };
  while (now() < endsAt) {
    const count = await sink.count();
    if (count >= due) return;
    if (count !== last.count) last = { count, at: now() };
    else if (now() - last.at > quietSeconds * 1000) return;
    await pause(20);
  }
}

/** From the first event to the last delivery. */
function deliveredPerSecond({ startedAt }: PublishResult, { count, lastAt }: SinkResult): number | null {
  return count === 0 ? null : rounded((count * 1000) / (lastAt - startedAt), 1);
}

function summaryOf(latenciesMs: readonly number[]): Latencies {
  const at = (share: number) => rounded(percentile(latenciesMs, share), 2);
  const histogram: Record<string, number> = {};
  for (const latency of latenciesMs) {
    const bound = String(HISTOGRAM_BOUNDS_MS.find((each) => latency <= each));
    histogram[bound] = (histogram[bound] ?? 0) + 1;
  }
  return {
    n: latenciesMs.length,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    max_ms: at(1),
    histogram,
  };
}

function memoryOf(pids: ByProcess): ByProcess {
  return mapped(pids, (pid) => rounded(memoryKiBOf(pid) / 1024, 1));
}

function cpuOf(pids: ByProcess): ByProcess {
  return mapped(pids, cpuSecondsOf);
}

function cpuSeconds(pids: ByProcess, name: string): number {
  return cpuSecondsOf(pids[name] ?? 0);
}

/** Bytes that the files of a folder take on the disk. */
function sizeOf(folder: string): number {
  return sum(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => lstatSync(`${entry.parentPath}/${entry.name}`).blocks * 512),
  );
}

function mapped(values: ByProcess, change: (value: number, name: string) => number): ByProcess {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
