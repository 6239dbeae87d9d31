import { atEnd, describeWith, startNats, startProcess, type ProductProcess } from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';

/** The settings of the backends, and how many processes run on them. */
export interface Stack {
  backends: Record<string, string>;
  replicas: number;
}

/**
 * Runs a suite on one process with embedded backends, and on two replicas with NATS and MongoDB.
 */
export function describeOnReplicas(what: string, describeSuite: (open: () => Promise<Stack>) => void): void {
  describe(`${what} on the embedded backends`, () => {
    describeSuite(async () => ({ backends: {}, replicas: 1 }));
  });

  describeWith(['nats', 'mongo'], `${what} on two replicas with NATS and MongoDB`, () => {
    describeSuite(async () => {
      const nats = await startNats();
      atEnd(() => nats.remove());
      return { backends: await serviceSettings(nats.url), replicas: 2 };
    });
  });
}

export interface Replicas {
  /** The address of a process, counted round and round. */
  urlOf: (n: number) => string;
  /** Kills a process, which starts again. */
  kill: (n: number) => Promise<void>;
}

/** Starts that many processes with the same settings, each with a folder of its own. */
export async function startReplicas(replicas: number, env: Record<string, string>): Promise<Replicas> {
  const processes: ProductProcess[] = [];
  for (let n = 0; n < replicas; n++) processes.push(await startProcess('standalone', { env }));
  const process = (n: number): ProductProcess => {
    const found = processes[n % processes.length];
    if (!found) throw new TypeError('no process');
    return found;
  };
  return {
    urlOf: (n) => process(n).url,
    kill: async (n) => {
      await process(n).kill('SIGKILL');
      await process(n).restart();
    },
  };
}
