import { root, tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Secrets = Record<string, Record<string, string>>;

const SERVICES_WITH_KEY = ['forms-api', 'inbound-gateway', 'hitl', 'webhook-dispatcher', 'admin'];

/**
 * What the script needs of kubectl. It keeps Secrets in a file, by namespace and name, and `apply`
 * keeps unknown values.
 */
const kubectlOf = (file: string) => `#!${process.execPath}
const fs = require('node:fs');
const secrets = JSON.parse(fs.readFileSync('${file}', 'utf8'));
const store = (id, data) => {
  secrets[id] = { ...secrets[id], ...data };
  fs.writeFileSync('${file}', JSON.stringify(secrets));
};
const args = process.argv.slice(2);
if (args[0] === 'apply') {
  if (args[2] !== '-') process.exit(0);
  const { id, data } = JSON.parse(fs.readFileSync(0, 'utf8'));
  store(id, data);
  process.exit(0);
}
const [, namespace, verb, kind, ...rest] = args;
if (kind !== 'secret') throw new Error('unexpected: ' + args.join(' '));
if (verb === 'create') {
  const id = namespace + '/' + rest[1];
  const values = rest.filter((arg) => arg.startsWith('--from-literal=')).map((arg) => arg.slice(15));
  const data = Object.fromEntries(values.map((value) => value.split(/=(.*)/s, 2)));
  if (rest.includes('--dry-run=client')) console.log(JSON.stringify({ id, data }));
  else store(id, data);
} else if (verb === 'get') {
  const names = rest.slice(0, rest.indexOf('--ignore-not-found'));
  const output = rest.at(-1);
  const found = names.filter((name) => secrets[namespace + '/' + name]);
  if (output === 'name') for (const name of found) console.log('secret/' + name);
  else if (found[0]) {
    const value = secrets[namespace + '/' + found[0]][output.slice('jsonpath={.data.'.length, -1)];
    if (value) process.stdout.write(Buffer.from(value).toString('base64'));
  }
} else throw new Error('unexpected: ' + args.join(' '));
`;

/** A cluster with these Secrets, and the script that makes its Secrets. */
function clusterWith(secrets: Secrets) {
  const folder = tempFolder();
  const file = join(folder, 'secrets.json');
  const write = (changed: Secrets) => writeFileSync(file, JSON.stringify(changed));
  write(secrets);
  const kubectl = join(folder, 'kubectl');
  writeFileSync(kubectl, kubectlOf(file));
  chmodSync(kubectl, 0o755);
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  return {
    write,
    /** Runs the script and returns the Secrets. */
    makeSecrets(env: Readonly<Record<string, string>> = {}): Secrets {
      const path = `${folder}:${process.env['PATH']}`;
      execFileSync('bash', ['k8s/overlays/local/make-secrets.sh'], {
        cwd: root,
        env: { ...env, PATH: path },
      });
      return read();
    },
  };
}

const keysOf = (secrets: Secrets) =>
  SERVICES_WITH_KEY.map((name) => secrets[`svcforms/${name}`]?.['SVC_ENCRYPTION_KEY']);

describe('make-secrets.sh of the local overlay', () => {
  it('gives each service its own NATS user and those that need it the same key', () => {
    const secrets = clusterWith({}).makeSecrets();
    const [key] = keysOf(secrets);
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    expect(keysOf(secrets)).toEqual(SERVICES_WITH_KEY.map(() => key));
    for (const user of [...SERVICES_WITH_KEY, 'embed-cdn', 'backup']) {
      const password =
        secrets['svcforms-engines/nats-users']?.[`NATS_${user.replaceAll('-', '_').toUpperCase()}_PASSWORD`];
      expect(password).toMatch(/^n[0-9a-f]{48}$/);
      expect(secrets[`svcforms/${user}`]?.['NATS_URL']).toContain(`//${user}:${password}@`);
    }
  });

  it('uses the key of the environment for a restore', () => {
    const secrets = clusterWith({}).makeSecrets({ SVC_ENCRYPTION_KEY: 'restored' });
    expect(keysOf(secrets)).toEqual(SERVICES_WITH_KEY.map(() => 'restored'));
  });

  it('changes nothing when it runs again, even with another key in the environment', () => {
    const cluster = clusterWith({});
    const before = cluster.makeSecrets();
    expect(cluster.makeSecrets({ SVC_ENCRYPTION_KEY: 'another' })).toEqual(before);
  });

  it('continues after an interruption with the key that some services already have', () => {
    const cluster = clusterWith({});
    const { 'svcforms/admin': _admin, 'svcforms/hitl': _hitl, ...before } = cluster.makeSecrets();
    cluster.write(before);
    const after = cluster.makeSecrets();
    expect(after).toMatchObject(before);
    expect(new Set(keysOf(after)).size).toBe(1);
  });

  it('adds the NATS user of a newer version to an installation', () => {
    const cluster = clusterWith({});
    const complete = cluster.makeSecrets();
    const { NATS_EMBED_CDN_PASSWORD: _password, ...users } = complete['svcforms-engines/nats-users'] ?? {};
    const { NATS_URL: _url, ...embedCdn } = complete['svcforms/embed-cdn'] ?? {};
    const before = { ...complete, 'svcforms-engines/nats-users': users, 'svcforms/embed-cdn': embedCdn };
    cluster.write(before);
    const after = cluster.makeSecrets();
    expect(after).toMatchObject(before);
    const password = after['svcforms-engines/nats-users']?.['NATS_EMBED_CDN_PASSWORD'];
    expect(password).toMatch(/^n/);
    expect(after['svcforms/embed-cdn']?.['NATS_URL']).toContain(`//embed-cdn:${password}@`);
  });

  it('keeps rotated keys and added values, and brings no first login back', () => {
    const cluster = clusterWith({ 'svcforms/svcforms': { SVC_ENCRYPTION_KEY: 'old' } });
    const { 'svcforms/bootstrap': _bootstrap, ...secrets } = cluster.makeSecrets();
    expect(keysOf(secrets)).toEqual(SERVICES_WITH_KEY.map(() => 'old'));
    const before = { ...secrets };
    // In the middle of a rotation.
    for (const [index, name] of SERVICES_WITH_KEY.entries()) {
      const key = index < 2 ? 'new,old' : 'old,new';
      before[`svcforms/${name}`] = { ...secrets[`svcforms/${name}`], SVC_ENCRYPTION_KEY: key, EXTRA: 'kept' };
    }
    cluster.write(before);
    expect(cluster.makeSecrets()).toEqual(before);
  });
});
