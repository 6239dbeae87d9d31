import type { Backend, ProductProcess } from '@svcforms/test-kit';
import { setTimeout as pause } from 'node:timers/promises';
import { killAndRestart, restart } from '../loss/kill.ts';
import type { SmallDisk } from '../outages/small-disk.ts';
import type { UnsteadyLink } from './unsteady-link.ts';

/** The components that a fault can hit. */
interface Targets {
  gateway: ProductProcess;
  dispatchers: readonly [ProductProcess, ProductProcess];
  nats: Backend;
  mongo: Backend;
  /** The disk of NATS. */
  disk: SmallDisk;
  toNats: UnsteadyLink;
  toMongo: UnsteadyLink;
}

/** A failure that is repaired before `run` resolves. */
interface Fault {
  name: string;
  run: () => Promise<void>;
}

const SLOW_MS = 40;
const between = (from: number, to: number, random: () => number) => from + (to - from) * random();

/** Returns one fault of each kind. */
export function faultsOf(on: Targets, random: () => number): Fault[] {
  const [one, other] = on.dispatchers;
  const pauseBriefly = () => pause(between(1_000, 3_000, random));
  const during = async (begin: () => unknown, end: () => unknown) => {
    await begin();
    await pauseBriefly();
    await end();
  };
  const kinds: Record<string, () => Promise<unknown>> = {
    'the gateway is killed': () => killAndRestart(on.gateway),
    'a dispatcher is killed': () => killAndRestart(one),
    'the other dispatcher is killed': () => killAndRestart(other),
    'both dispatchers are killed': () => Promise.all([killAndRestart(one), killAndRestart(other)]),
    'NATS is killed': () => on.nats.crash(),
    'NATS is killed together with a dispatcher': () => Promise.all([on.nats.crash(), killAndRestart(other)]),
    'NATS is paused': () =>
      during(
        () => on.nats.pause(),
        () => on.nats.unpause(),
      ),
    // A stream that failed to write stays failed until the server restarts.
    'the disk under NATS is full': () =>
      during(
        () => on.disk.fill(0),
        async () => {
          on.disk.clear();
          await on.nats.restart();
        },
      ),
    'MongoDB is paused': () =>
      during(
        () => on.mongo.pause(),
        () => on.mongo.unpause(),
      ),
    'MongoDB is paused while a dispatcher is killed': () =>
      during(
        async () => {
          await one.kill('SIGKILL');
          await on.mongo.pause();
        },
        async () => {
          await on.mongo.unpause();
          await restart(one);
        },
      ),
    'the link to NATS is slow': () =>
      during(
        () => on.toNats.slow(SLOW_MS),
        () => on.toNats.slow(0),
      ),
    'the link to MongoDB is slow': () =>
      during(
        () => on.toMongo.slow(SLOW_MS),
        () => on.toMongo.slow(0),
      ),
    'the link to NATS is cut': () =>
      during(
        () => on.toNats.cut(),
        () => on.toNats.mend(),
      ),
    'the link to MongoDB is cut': () =>
      during(
        () => on.toMongo.cut(),
        () => on.toMongo.mend(),
      ),
  };
  return Object.entries(kinds).map(([name, run]) => ({ name, run: async () => void (await run()) }));
}
