import {
  describeWith,
  root,
  startNats,
  startProcess,
  testSettings,
  newApiKey,
  atEnd,
} from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { mountSmallDisk } from '../outages/small-disk.ts';
import { EXIT, expectFailedStart } from './failed-start.ts';

jest.setTimeout(60_000);

const GIB = 1024 ** 3;
const read = (path: string) => readFileSync(`${root}k8s/overlays/${path}`, 'utf8');

/** The size of the volume of NATS in the local overlay, and of the event log on it, in bytes. */
function localSizes(): { volume: number; log: number } {
  const [, nats = ''] = read('local/engines/engines.yaml').split(/^kind: StatefulSet$/m);
  const volume = Number(/storage: (\d+)Gi/.exec(nats)?.[1]) * GIB;
  const log = Number(/SVC_STREAM_MAX_BYTES=(\d+)/.exec(read('local/kustomization.yaml'))?.[1]);
  return { volume, log };
}

it('states the size of the event log in every overlay', () => {
  for (const overlay of ['local', 'production']) {
    expect(read(`${overlay}/kustomization.yaml`)).toMatch(/^ +- SVC_STREAM_MAX_BYTES=\d+$/m);
  }
});

describeWith(['nats', 'root'], 'NATS on a volume of the local overlay', () => {
  const { volume, log } = localSizes();
  let settings: Record<string, string>;

  beforeAll(async () => {
    // In memory, but only as large as its files.
    const disk = mountSmallDisk(volume);
    const nats = await startNats({ folder: disk.folder });
    atEnd(() => nats.remove());
    settings = { ...testSettings({ apiKey: newApiKey() }), NATS_URL: nats.url };
  });

  it('has no room for the default size of the event log', async () => {
    const expected = { code: EXIT.noRoom, message: 'SVC_STREAM_MAX_BYTES' };
    await expectFailedStart('standalone', settings, expected);
  });

  it('has room for the size that the overlay sets', async () => {
    const env = { ...settings, SVC_STREAM_MAX_BYTES: String(log) };
    const product = await startProcess('standalone', { env });
    expect(await product.stop()).toBe(0);
  });
});
