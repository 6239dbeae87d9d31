import { describeWith, startNats, tempFolder, testCertificate, type Backend } from '@svcforms/test-kit';
import { nkeys } from '@nats-io/transport-node';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anEvent } from '../test/conformance/events.ts';
import { issueAccount } from '../test/nats-operator.ts';
import { checkNatsFiles, connectNatsBus, type NatsBusOptions } from './nats.ts';

const folder = tempFolder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Publishes one event through a bus with these options. @throws EventBusError */
async function publishOnce(options: Omit<NatsBusOptions, 'name'>): Promise<void> {
  const bus = await connectNatsBus({ name: 'test', maxBytes: 1024 ** 2, ...options });
  try {
    await bus.publish(anEvent());
  } finally {
    await bus.close();
  }
}

describeWith(['nats'], 'the credentials for NATS', () => {
  jest.setTimeout(60_000);
  let running: Backend | undefined;

  async function start(config: string, files: Record<string, string> = {}): Promise<string> {
    const all = { '/etc/test.conf': config, ...files };
    running = await startNats({ args: ['-c', '/etc/test.conf'], files: all });
    return running.url;
  }
  afterEach(async () => {
    await running?.remove();
    running = undefined;
  });

  it('are a credentials file of a user whose account an operator has signed', async () => {
    const { config, creds } = issueAccount();
    const stranger = issueAccount();
    const url = await start(config);

    await publishOnce({ url, credsFile: fileWith('user.creds', creds) });

    const credsFile = fileWith('stranger.creds', stranger.creds);
    await expect(publishOnce({ url, credsFile })).rejects.toMatchObject({ code: 'DENIED' });
    await expect(publishOnce({ url })).rejects.toMatchObject({ code: 'DENIED' });
  });

  it('are an NKEY seed, with or without a frame', async () => {
    const user = nkeys.createUser();
    const url = await start(`authorization: { users: [{ nkey: ${user.getPublicKey()} }] }`);
    const seed = text(user.getSeed());
    const framed = `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;

    await publishOnce({ url, nkeySeedFile: fileWith('user.nk', `${seed}\n`) });
    await publishOnce({ url, nkeySeedFile: fileWith('framed.nk', framed) });

    const nkeySeedFile = fileWith('other.nk', text(nkeys.createUser().getSeed()));
    await expect(publishOnce({ url, nkeySeedFile })).rejects.toMatchObject({ code: 'DENIED' });
  });

  it('are read again for each connection', async () => {
    const [first, second] = [nkeys.createUser(), nkeys.createUser()];
    const url = await start(`authorization: { users: [{ nkey: ${second.getPublicKey()} }] }`);
    const nkeySeedFile = fileWith('rotated.nk', text(first.getSeed()));
    await expect(publishOnce({ url, nkeySeedFile })).rejects.toMatchObject({ code: 'DENIED' });

    fileWith('rotated.nk', text(second.getSeed()));

    await publishOnce({ url, nkeySeedFile });
  });

  it('include a CA file, which the certificates of the servers must fit', async () => {
    const { key, cert, caFile } = await testCertificate(['127.0.0.1']);
    const other = await testCertificate(['127.0.0.1']);
    const files = { '/etc/key.pem': key, '/etc/cert.pem': cert };
    const url = await start(
      'tls: { key_file: /etc/key.pem, cert_file: /etc/cert.pem }\nauthorization: { user: ada, password: "p,w" }',
      files,
    );
    const withUser = url.replace('nats://', 'tls://ada:p%2Cw@');

    await publishOnce({ url: withUser, caFile });
    await publishOnce({ url: withUser.replace('tls://', 'nats://'), caFile });

    await expect(publishOnce({ url: withUser })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const wrong = publishOnce({ url: withUser, caFile: other.caFile });
    await expect(wrong).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/certificate|signature/) as string,
    });
  });

  it('are never sent to a server whose certificate is for another host', async () => {
    const { key, cert, caFile } = await testCertificate(['elsewhere.example', '192.0.2.1']);
    const files = { '/etc/key.pem': key, '/etc/cert.pem': cert };
    const url = await start('tls: { key_file: /etc/key.pem, cert_file: /etc/cert.pem }', files);

    await expect(publishOnce({ url, caFile })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining("does not match certificate's altnames") as string,
    });
    await expect(publishOnce({ url: url.replace('127.0.0.1', 'localhost'), caFile })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('are never sent to a server without TLS if there is a CA file', async () => {
    const { caFile } = await testCertificate(['127.0.0.1']);
    const url = await start('# a server without TLS');

    await expect(publishOnce({ url, caFile })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining("does not support 'tls'") as string,
    });
  });
});

describe('a file for NATS', () => {
  const seed = text(nkeys.createUser().getSeed());
  const accountSeed = text(nkeys.createAccount().getSeed());

  it.each<[string, object, RegExp]>([
    [
      'credentials that are missing',
      { credsFile: join(folder, 'none') },
      /^NATS_CREDS_FILE \S+none can't be read: ENOENT/,
    ],
    [
      'credentials without a JWT',
      { credsFile: fileWith('bare', seed) },
      /^NATS_CREDS_FILE \S+bare must contain the JWT/,
    ],
    ['a seed that is a folder', { nkeySeedFile: folder }, /^NATS_NKEY_SEED_FILE \S+ can't be read: EISDIR/],
    [
      'a seed of an account',
      { nkeySeedFile: fileWith('acc', accountSeed) },
      /^NATS_NKEY_SEED_FILE \S+acc must contain/,
    ],
    [
      'a mistyped seed',
      {
        nkeySeedFile: fileWith(
          'typo',
          `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`,
        ),
      },
      /^NATS_NKEY_SEED_FILE \S+typo must/,
    ],
    [
      'a CA that is empty',
      { caFile: fileWith('empty', '') },
      /^NATS_CA_FILE \S+empty must contain certificates in PEM/,
    ],
  ])('is refused if it is %s, in one line that never shows a seed', (_, files, message) => {
    const check = () => checkNatsFiles(files);
    expect(check).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
    expect(check).toThrow(message);
    expect(check).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(seed.slice(0, 20)) as string }),
    );
  });
});
