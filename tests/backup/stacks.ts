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
  /** The same processes, with clients of another API key. */
  withKey(apiKey: string): Stack;
  /** Stops the dispatcher if it is a separate process; returns whether it is. */
  stopDelivering(): Promise<boolean>;
  stop(): Promise<void>;
}

/** `fullPasswordCost`: for data with passwords of real users. */
export async function startStandalone(
  env: Record<string, string>,
  token: string,
  { fullPasswordCost = false }: { fullPasswordCost?: boolean } = {},
): Promise<Stack> {
  const product = await startProcess('standalone', { env, fullPasswordCost });
  const clientsOf = (apiKey: string) => {
    const client = createClient({ baseUrl: product.url, token: apiKey });
    return { forms: client, inbound: client, tasks: client };
  };
  const stack: Stack = {
    ...clientsOf(token),
    streamsUrl: product.url,
    output: () => product.output(),
    withKey: (apiKey) => ({ ...stack, ...clientsOf(apiKey) }),
    stopDelivering: async () => false,
    stop: async () => void (await product.stop()),
  };
  return stack;
}

export async function startServices(env: Record<string, string>, token: string): Promise<Stack> {
  // forms-api creates the first account, which the others wait for.
  const formsApi = await startProcess('forms-api', { env });
  const [gateway, hitl, dispatcher] = await Promise.all(
    (['inbound-gateway', 'hitl', 'webhook-dispatcher'] as const).map((name) => startProcess(name, { env })),
  );
  const all = [gateway, hitl, dispatcher, formsApi] as ProductProcess[];
  const clientsOf = (apiKey: string) => {
    const clientOf = (product?: ProductProcess) =>
      createClient({ baseUrl: product?.url ?? '', token: apiKey });
    return { forms: clientOf(formsApi), inbound: clientOf(gateway), tasks: clientOf(hitl) };
  };
  const stack: Stack = {
    ...clientsOf(token),
    withKey: (apiKey) => ({ ...stack, ...clientsOf(apiKey) }),
    streamsUrl: hitl?.url ?? '',
    output: () => all.map((product) => product.output()).join(''),
    async stopDelivering() {
      await dispatcher?.stop();
      return true;
    },
    stop: async () => void (await Promise.all(all.map((product) => product.stop()))),
  };
  return stack;
}
