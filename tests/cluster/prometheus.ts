import { atEnd, freePort, poll, tempFolder } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '../alerts/promtool.ts';
import { addressesOf } from './pods.ts';
import { NAMESPACE, SERVICES } from './start-cluster.ts';

/** An alert whose expression is true. */
export interface ActiveAlert {
  labels: Readonly<Record<string, string>>;
  state: 'pending' | 'firing';
}

/** More often than in production, so that a test sees changes soon. */
const SCRAPE_EVERY = '3s';

/**
 * Starts a Prometheus server that reads every pod of the product with the labels of
 * components/service-monitor, and evaluates the rules of components/alerts. It stops after the test
 * file.
 */
export async function startPrometheus() {
  const folder = tempFolder();
  const jobs = SERVICES.map(async (service) => ({
    job_name: service,
    static_configs: (await addressesOf(service)).map(({ name, address }) => ({
      targets: [`${address}:8080`],
      labels: { namespace: NAMESPACE, pod: name },
    })),
  }));
  const config = {
    global: { scrape_interval: SCRAPE_EVERY, scrape_timeout: SCRAPE_EVERY, evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: await Promise.all(jobs),
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  writeFileSync(join(folder, 'rules.yaml'), RULES);
  const address = `127.0.0.1:${await freePort()}`;
  const server = spawn(
    'prometheus',
    ['--config.file=prometheus.yaml', '--storage.tsdb.path=data', `--web.listen-address=${address}`, '--log.level=warn'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  ); // prettier-ignore
  const ended = once(server, 'close');
  async function stop(): Promise<void> {
    unregister();
    server.kill();
    await ended;
  }
  const unregister = atEnd(stop);

  const get = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { data: T }).data;
  /** How many pods respond to Prometheus. */
  async function seen(): Promise<number> {
    const { activeTargets } = await get<{ activeTargets: { health: string }[] }>('targets');
    return activeTargets.filter(({ health }) => health === 'up').length;
  }
  await poll(async () => (await seen().catch(() => 0)) === 2 * SERVICES.length, {
    what: 'a scrape of every pod',
    everyMs: 250,
  });
  return {
    /** The alerts of the rules whose expression is true now. */
    activeAlerts: async () => (await get<{ alerts: ActiveAlert[] }>('alerts')).alerts,
    stop,
  };
}
