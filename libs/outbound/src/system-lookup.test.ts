import { setMaxListeners } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { poll, tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createSystemLookup } from './system-lookup.ts';
import { startNameServer, stopNameServers } from '../test/name-server.ts';

jest.setTimeout(TEST_TIMEOUT_MS);
afterEach(() => {
  jest.restoreAllMocks();
  stopNameServers();
});

/** A machine of the test's own: its two files, and a name server. */
async function openMachine(
  responses: Parameters<typeof startNameServer>[0] = {},
  { hosts = '', resolvConf = '' }: { hosts?: string; resolvConf?: string } = {},
) {
  const folder = tempFolder();
  const files = { hostsFile: join(folder, 'hosts'), resolvConf: join(folder, 'resolv.conf') };
  writeFileSync(files.hostsFile, hosts);
  writeFileSync(files.resolvConf, resolvConf);
  const server = await startNameServer(responses);
  return { ...files, server, lookup: createSystemLookup({ ...files, servers: [server.address] }) };
}

/** The code of the error that a lookup rejects with. */
const codeOf = (looking: Promise<unknown>) =>
  looking.then(
    () => 'found',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

/** Moves the clock that failures and files are remembered by. */
function later(ms: number): void {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + ms);
}

describe('a lookup', () => {
  it('finds the addresses of both families', async () => {
    const { lookup } = await openMachine({ 'both.example': [['93.184.216.34', '2606:2800::1']] });
    expect(await lookup('both.example')).toEqual(['93.184.216.34', '2606:2800::1']);
    expect(await lookup('both.example.')).toEqual(['93.184.216.34', '2606:2800::1']);
  });

  it('queries again for each connection, without caching addresses', async () => {
    const { lookup } = await openMachine({ 'moved.example': [['1.1.1.1'], ['1.1.1.1'], ['10.0.0.1']] });
    expect(await lookup('moved.example')).toEqual(['1.1.1.1']);
    expect(await lookup('moved.example')).toEqual(['10.0.0.1']);
  });

  it('returns the addresses of one family if the other gets no response', async () => {
    const { lookup } = await openMachine({ 'half.example': { onlyA: '1.1.1.1' } });
    expect(await lookup('half.example')).toEqual(['1.1.1.1']);
  });

  it('fails with ENOTFOUND for an unknown name', async () => {
    const { lookup } = await openMachine();
    expect(await codeOf(lookup('unknown.example'))).toBe('ENOTFOUND');
  });
});

describe('the hosts file', () => {
  const HOSTS = `127.0.0.1\tlocalhost   # this machine
::1 localhost ip6-localhost
10.1.2.3 Build.Example build
# 10.9.9.9 commented.example
fe80::1%lo0 zoned.example
not-an-address broken.example
10.1.2.4 build.example
`;

  it('takes precedence over name servers', async () => {
    const { lookup, server } = await openMachine({ 'build.example': [['1.1.1.1']] }, { hosts: HOSTS });
    expect(await lookup('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await lookup('build.example')).toEqual(['10.1.2.3', '10.1.2.4']);
    expect(await lookup('BUILD.example.')).toEqual(['10.1.2.3', '10.1.2.4']);
    expect(await lookup('build')).toEqual(['10.1.2.3']);
    expect(server.queries).toBe(0);
    for (const name of ['commented.example', 'zoned.example', 'broken.example'])
      expect(await codeOf(lookup(name))).toBe('ENOTFOUND');
  });

  it('is read again after a change', async () => {
    const { lookup, hostsFile } = await openMachine({}, { hosts: HOSTS });
    expect(await codeOf(lookup('new.example'))).toBe('ENOTFOUND');
    appendFileSync(hostsFile, '10.5.5.5 new.example\n');
    later(1001);
    expect(await lookup('new.example')).toEqual(['10.5.5.5']);
  });

  it('is optional, and localhost works without it', async () => {
    const lookup = createSystemLookup({ hostsFile: '/nowhere/hosts', resolvConf: '/nowhere/resolv.conf' });
    expect(await lookup('localhost')).toEqual(['127.0.0.1', '::1']);
  });
});

describe('search domains', () => {
  const SEARCH = 'nameserver 10.0.0.10\nsearch a.test b.test.\noptions timeout:1 ndots:2\n';

  it('are appended first to a name with fewer dots than ndots', async () => {
    const responses = { 'listener.b.test': [['10.0.0.7']], listener: [['10.0.0.8']] };
    const { lookup, server } = await openMachine(responses, { resolvConf: SEARCH });
    expect(await lookup('listener')).toEqual(['10.0.0.7']);
    expect([...server.names]).toEqual(['listener.a.test', 'listener.b.test']);
  });

  it('are tried after a name with enough dots, and not at all for a trailing dot', async () => {
    const { lookup, server } = await openMachine(
      { 'x.y.example.a.test': [['10.0.0.7']] },
      { resolvConf: SEARCH },
    );
    expect(await lookup('x.y.example')).toEqual(['10.0.0.7']);
    expect([...server.names]).toEqual(['x.y.example', 'x.y.example.a.test']);
    expect(await codeOf(lookup('listener.'))).toBe('ENOTFOUND');
    expect([...server.names]).toContain('listener');
    expect([...server.names]).not.toContain('listener.a.test');
  });

  it('default to the domain', async () => {
    const { lookup } = await openMachine(
      { 'listener.c.test': [['10.0.0.7']] },
      { resolvConf: 'domain c.test\n' },
    );
    expect(await lookup('listener')).toEqual(['10.0.0.7']);
  });
});

describe('a failure', () => {
  it('is cached for half a minute', async () => {
    const { lookup, server } = await openMachine({ 'late.example': [[], [], ['1.1.1.1']] });
    expect(await codeOf(lookup('late.example'))).toBe('ENOTFOUND');
    const asked = server.queries;
    later(29_000);
    expect(await codeOf(lookup('late.example'))).toBe('ENOTFOUND');
    expect(server.queries).toBe(asked);
    later(2000);
    expect(await lookup('late.example')).toEqual(['1.1.1.1']);
  });

  it('of an unresponsive name server is known after two seconds and cached for ten', async () => {
    const { lookup, server } = await openMachine({ 'dead.example': 'silent' });
    const startedAt = performance.now();
    expect(await codeOf(lookup('dead.example'))).toBe('ETIMEOUT');
    // Without a limit, the resolver would retry for longer.
    expect(performance.now() - startedAt).toBeLessThan(4500);
    const asked = server.queries;
    expect(await codeOf(lookup('dead.example', { accountId: 'another' }))).toBe('ETIMEOUT');
    expect(server.queries).toBe(asked);
    later(10_001);
    const abort = AbortSignal.abort(new Error('given up'));
    expect(await codeOf(lookup('dead.example', { signal: abort }))).toBe('given up');
  });
});

describe('a signal', () => {
  it('cancels a lookup at once and frees its permit', async () => {
    const names = Array.from({ length: 16 }, (_, n) => `dead-${n}.example`);
    const { lookup, server } = await openMachine({
      ...Object.fromEntries(names.map((name) => [name, 'silent' as const])),
      'good.example': [['1.1.1.1']],
    });
    const [giveUp, end] = [new AbortController(), new AbortController()];
    setMaxListeners(0, giveUp.signal);
    const earlier = codeOf(lookup('dead-0.example', { signal: end.signal, accountId: 'two' }));
    const given = names.map((name) => codeOf(lookup(name, { signal: giveUp.signal, accountId: 'one' })));
    await poll(() => server.names.size === 16);
    const queued = lookup('good.example', { accountId: 'one' });
    giveUp.abort(new Error('given up'));
    expect(await Promise.race([earlier, Promise.all(given)])).toEqual(names.map(() => 'given up'));
    expect(await queued).toEqual(['1.1.1.1']);
    end.abort(new Error('the end'));
    expect(await earlier).toBe('the end');
  });

  it('that cancels a lookup after half a second makes it count as failed', async () => {
    const { lookup, server } = await openMachine({ 'dead.example': 'silent' });
    for (const ms of [400, 500]) {
      const giveUp = new AbortController();
      const before = server.queries;
      const looking = codeOf(lookup('dead.example', { signal: giveUp.signal }));
      await poll(() => server.queries >= before + 2);
      later(ms);
      giveUp.abort(new Error('given up'));
      expect(await looking).toBe('given up');
      jest.restoreAllMocks();
    }
    const before = server.queries;
    expect(await codeOf(lookup('dead.example'))).toBe('ETIMEOUT');
    expect(server.queries).toBe(before);
  });

  it('removes a queued lookup', async () => {
    const names = Array.from({ length: 17 }, (_, n) => `dead-${n}.example`);
    const { lookup, server } = await openMachine(
      Object.fromEntries(names.map((name) => [name, 'silent' as const])),
    );
    const giveUp = new AbortController();
    const running = names.slice(0, 16).map((name) => codeOf(lookup(name, { accountId: 'one' })));
    await poll(() => server.names.size === 16);
    const queued = lookup('dead-16.example', { signal: giveUp.signal, accountId: 'one' });
    giveUp.abort(new Error('given up'));
    expect(await codeOf(queued)).toBe('given up');
    await Promise.all(running);
    expect(server.names.has('dead-16.example')).toBe(false);
  });
});

describe('an account with unresponsive name servers', () => {
  it('delays neither other accounts nor names in the hosts file', async () => {
    const names = Array.from({ length: 64 }, (_, n) => `dead-${n}.example`);
    const { lookup, server } = await openMachine(
      {
        ...Object.fromEntries(names.map((name) => [name, 'silent' as const])),
        'good.example': [['1.1.1.1']],
      },
      { hosts: '127.0.0.1 localhost' },
    );
    const giveUp = new AbortController();
    setMaxListeners(0, giveUp.signal);
    const dead = names.map((name) => codeOf(lookup(name, { signal: giveUp.signal, accountId: 'one' })));
    await poll(() => server.names.size === 16);
    let isAnyOver = false;
    void Promise.race(dead).then(() => (isAnyOver = true));
    expect(await lookup('good.example', { accountId: 'two' })).toEqual(['1.1.1.1']);
    expect(await lookup('localhost', { accountId: 'one' })).toEqual(['127.0.0.1']);
    expect(isAnyOver).toBe(false);
    // Bounded: the others wait.
    expect(server.names.size).toBe(17);
    giveUp.abort(new Error('given up'));
    await Promise.all(dead);
  });
});
