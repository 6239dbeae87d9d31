import { newApiKey, tempFolder } from '@svcforms/test-kit';
import { createSocket } from 'node:dgram';
import type { Target } from '../../tests/bench/messages.ts';
import { post } from '../lib/api.ts';
import { API_KEY, createAccount, MEMORY_ARGS, startMeasuredProduct } from '../lib/measured-product.ts';
import { startSkeleton } from './programs.ts';
import { SINK_PATHS, type Scenario, type TargetName } from './scenarios.ts';

/** Something that accepts events and delivers them to the sink. */
export interface Subject {
  pids: Record<string, number>;
  targets: Target[];
  /** Absent when it stores its data in containers. */
  dataFolder?: string;
  stop(): Promise<void>;
}

const DEAD_NAMES = 12;

/**
 * Starts a product with a form, an inbound endpoint and webhooks for each target of the scenario.
 */
export async function startProduct(
  name: string,
  scenario: Scenario,
  {
    sinkPort,
    profileFolder,
    settings = {},
  }: { sinkPort: number; profileFolder?: string | undefined; settings?: Record<string, string> },
): Promise<Subject> {
  const hasDeadNames = scenario.targets.includes('dead');
  const dns: Record<string, string> = hasDeadNames ? { SVC_DNS_SERVERS: await startSilentNameServer() } : {};
  const product = await startMeasuredProduct(name, { settings: { ...settings, ...dns }, profileFolder });
  const { baseUrl } = product;

  async function createTarget(target: TargetName): Promise<Target> {
    // The neighbor with the dead name servers is another account.
    const apiKey = target === 'dead' ? await createAccount(product.env, 'business') : API_KEY;
    const form = await post(baseUrl, apiKey, '/api/forms', { name: target });
    const { token } = await post<{ token: string }>(baseUrl, apiKey, `/api/forms/${form.id}/inbound`, {});
    await Promise.all(
      webhookUrls(target, sinkPort, hasDeadNames).map((url) =>
        post(baseUrl, apiKey, `/api/forms/${form.id}/webhooks`, { url, events: ['form.submission.new'] }),
      ),
    );
    return {
      name: target,
      url: `${baseUrl}/api/inbound/${form.id}`,
      headers: { authorization: `Bearer ${token}` },
    };
  }

  const targets: Target[] = [];
  for (const target of scenario.targets) targets.push(await createTarget(target));
  const stop = () => product.stop();
  return name === 'embedded'
    ? { pids: product.pids, targets, stop, dataFolder: product.dataFolder }
    : { pids: product.pids, targets, stop };
}

/** Starts the skeleton, which sends to the only target of the scenario. */
export async function startReference(
  scenario: Scenario,
  { sinkPort }: { sinkPort: number },
): Promise<Subject> {
  const [name = 'good'] = scenario.targets;
  const [endpointUrl] = webhookUrls(name, sinkPort, false);
  const dataFolder = tempFolder();
  const token = newApiKey();
  const skeleton = await startSkeleton({ dataFolder, token, secret: newApiKey(), endpointUrl }, MEMORY_ARGS);
  return {
    pids: { server: skeleton.pid },
    targets: [{ name, url: skeleton.url, headers: { authorization: `Bearer ${token}` } }],
    dataFolder,
    stop: () => skeleton.stop(),
  };
}

function webhookUrls(target: TargetName, sinkPort: number, hasDeadNames: boolean): string[] {
  const path = SINK_PATHS[target];
  if (path === null) return [];
  if (target === 'dead')
    return Array.from({ length: DEAD_NAMES }, (_, n) => `http://dead-${n}.example:${sinkPort}${path}`);
  // Beside dead names by its own name, so that each connection needs a look-up; the hosts file has
  // it.
  return [`http://${hasDeadNames ? 'localhost' : '127.0.0.1'}:${sinkPort}${path}`];
}

/** Receives queries and never responds; returns its address. */
async function startSilentNameServer(): Promise<string> {
  const socket = createSocket('udp4').unref();
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}
