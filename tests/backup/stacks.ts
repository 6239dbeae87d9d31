import {
  createClient,
  sharedMongo,
  startProcess,
  tempFolder,
  type Client,
  type ProductProcess,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';

/** Where a product stores its data, as environment variables. */
export type Storage = Record<string, string>;

export const embeddedStorage = (): Storage => ({ SVC_DATA_DIR: tempFolder() });

/** Returns a new database next to that NATS server. */
export async function backendStorage(natsUrl: string): Promise<Storage> {
  return { NATS_URL: natsUrl, MONGODB_URL: `${await sharedMongo()}/backup_${randomUUID().slice(0, 8)}` };
}

/** A running product: one process or all services. */
export interface Stack {
  forms: Client;
  inbound: Client;
  tasks: Client;
  /** The base URL of event streams. */
  streamsUrl: string;
  /** The output of its processes. */
  output(): string;
  /** Stops the dispatcher if it is a separate process; returns whether it is. */
  stopDelivering(): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startStandalone(env: Record<string, string>, token: string): Promise<Stack> {
  const product = await startProcess('standalone', { env });
  const client = createClient({ baseUrl: product.url, token });
  return {
    forms: client,
    inbound: client,
    tasks: client,
    streamsUrl: product.url,
    output: () => product.output(),
    stopDelivering: async () => false,
    stop: async () => void (await product.stop()),
  };
}

export async function startServices(env: Record<string, string>, token: string): Promise<Stack> {
  // forms-api creates the first account, which the others wait for.
  const formsApi = await startProcess('forms-api', { env });
  const [gateway, hitl, dispatcher] = await Promise.all(
    (['inbound-gateway', 'hitl', 'webhook-dispatcher'] as const).map((name) => startProcess(name, { env })),
  );
  const all = [gateway, hitl, dispatcher, formsApi] as ProductProcess[];
  const clientOf = (product?: ProductProcess) => createClient({ baseUrl: product?.url ?? '', token });
  return {
    forms: clientOf(formsApi),
    inbound: clientOf(gateway),
    tasks: clientOf(hitl),
    streamsUrl: hitl?.url ?? '',
    output: () => all.map((product) => product.output()).join(''),
    async stopDelivering() {
      await dispatcher?.stop();
      return true;
    },
    stop: async () => void (await Promise.all(all.map((product) => product.stop()))),
  };
}
