import { networkInterfaces } from 'node:os';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import type { Lookup } from './resolve-target.ts';
import { createGuard, createGuardedClient, type GuardedClient, type Policy } from './index.ts';
import { startNameServer, stopNameServers } from '../test/name-server.ts';
import { startHttp, stopServers } from '../test/servers.ts';

jest.setTimeout(TEST_TIMEOUT_MS);

/** Only this address of loopback is allowed; 127.0.0.1 stands for what must stay out of reach. */
const POLICY: Policy = { allowedTargets: ['127.0.0.2/32'], allowHttp: true };

const clients: GuardedClient[] = [];
function clientWith(lookup?: Lookup, policy = POLICY): GuardedClient {
  const client = createGuardedClient(policy, lookup ? { lookup } : {});
  clients.push(client);
  return client;
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  stopNameServers();
  await stopServers();
});

const request = (url: string) => ({ url, headers: {}, body: '{}' });

describe('the targets of post', () => {
  it.each([
    ['a literal address', '127.0.0.1'],
    ['another spelling of it', '127.1'],
    ['it inside an IPv6 address', '[::ffff:127.0.0.1]'],
    ['a name that leads there', 'private.example'],
    ['a name that leads there too', 'mixed.example'],
    ['localhost', 'localhost'],
  ])('are blocked if the address is neither public nor allowed: %s', async (_what, host) => {
    const forbidden = await startHttp((_request, response) => response.end('secret'));
    const addresses: Record<string, string[]> = {
      'private.example': ['127.0.0.1'],
      'mixed.example': ['127.0.0.2', '127.0.0.1'],
      localhost: ['127.0.0.1'],
    };
    const client = clientWith(async (name) => addresses[name] ?? []);
    const result = await client.post(request(`http://${host}:${forbidden.port}/`));

    expect(result).toEqual({
      error: 'blocked_target',
      message: expect.any(String) as string,
      durationMs: expect.any(Number) as number,
    });
    expect(forbidden.opened).toBe(0);
  });

  it.each([
    'nonsense',
    'http://user@listener.example/',
    'http://listener.example:22/',
    'ftp://listener.example/',
    'http://metadata.google.internal/',
  ])('are blocked by the URL, without a lookup: %s', async (url) => {
    const lookup = jest.fn<Promise<string[]>, [string]>().mockResolvedValue(['127.0.0.1']);
    const result = await clientWith(lookup, { allowedTargets: [], allowHttp: true }).post(request(url));

    expect(result).toMatchObject({ error: 'blocked_target' });
    expect(lookup).not.toHaveBeenCalled();
  });

  it('are http only if the policy allows it', async () => {
    const server = await startHttp((_request, response) => response.end(), '127.0.0.2');
    const client = clientWith(undefined, { ...POLICY, allowHttp: false });

    expect(await client.post(request(`http://127.0.0.2:${server.port}/`))).toMatchObject({
      error: 'blocked_target',
      message: 'the URL must start with https://',
    });
  });

  it('can be localhost and single-label names if all addresses are allowed', async () => {
    const server = await startHttp((_request, response) => response.end(), '127.0.0.2');
    const client = clientWith(async () => ['127.0.0.2']);

    for (const host of ['localhost', 'listener', 'listener.']) {
      expect(await client.post(request(`http://${host}:${server.port}/`))).toMatchObject({ status: 200 });
    }
  });

  const loopbackV6 = Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address }) => address === '::1'),
  );
  (loopbackV6 ? describe : describe.skip)('on a machine that has ::1', () => {
    it('can be IPv6 addresses', async () => {
      const server = await startHttp((incoming, response) => response.end(incoming.headers.host), '::1');
      const client = clientWith(undefined, { allowedTargets: ['::1/128'], allowHttp: true });

      expect(await client.post(request(`http://[0::1]:${server.port}/`))).toMatchObject({
        body: `[::1]:${server.port}`,
      });
    });
  });

  it('keep their name in the Host header', async () => {
    const server = await startHttp((incoming, response) => response.end(incoming.headers.host), '127.0.0.2');
    const client = clientWith(async () => ['127.0.0.2']);
    const { port } = server;

    expect(await client.post(request(`http://Hooks.Example:${port}/`))).toMatchObject({
      body: `hooks.example:${port}`,
    });
  });

  it('are looked up once per connection, and only the result is dialed', async () => {
    const allowed = await startHttp((_request, response) => response.end('allowed'), '127.0.0.2');
    const names = await startNameServer({ 'rebind.example': [['127.0.0.2'], ['127.0.0.1']] });
    const client = clientWith(names.lookup);
    const url = `http://rebind.example:${allowed.port}/`;

    expect(await client.post(request(url))).toMatchObject({ body: 'allowed' });
    expect(await client.post(request(url))).toMatchObject({ body: 'allowed' });
    expect(names.queries).toBe(1);
  });

  it('are checked at each request: a name that changed since it was saved is blocked', async () => {
    const names = await startNameServer({ 'rebind.example': [['93.184.216.34'], ['10.0.0.1']] });

    expect(await createGuard(POLICY, names).checkTarget('http://rebind.example/')).toBeNull();
    expect(await clientWith(names.lookup).post(request('http://rebind.example/'))).toMatchObject({
      error: 'blocked_target',
      message: expect.not.stringContaining('10.0.0.1') as string,
    });
  });

  it('are checked at each connection: a name that changed in between is blocked', async () => {
    const allowed = await startHttp(
      (_request, response) => response.writeHead(200, { connection: 'close' }).end('allowed'),
      '127.0.0.2',
    );
    const names = await startNameServer({ 'rebind.example': [['127.0.0.2'], ['127.0.0.1']] });
    const client = clientWith(names.lookup);
    const url = `http://rebind.example:${allowed.port}/`;

    expect(await client.post(request(url))).toMatchObject({ body: 'allowed' });
    expect(await client.post(request(url))).toMatchObject({ error: 'blocked_target' });
  });

  it('are blocked if one of several addresses is forbidden, in any order', async () => {
    const names = await startNameServer({
      'first.example': [['127.0.0.1', '93.184.216.34']],
      'last.example': [['93.184.216.34', '127.0.0.1']],
    });
    const client = clientWith(names.lookup);

    for (const host of ['first.example', 'last.example']) {
      expect(await client.post(request(`http://${host}/`))).toMatchObject({ error: 'blocked_target' });
    }
  });

  it('are tried address by address', async () => {
    const server = await startHttp((_request, response) => response.end('ok'), '127.0.0.3');
    const client = clientWith(async () => ['127.0.0.2', '127.0.0.3'], {
      ...POLICY,
      allowedTargets: ['127.0.0.2/31'],
    });

    expect(await client.post(request(`http://listener.example:${server.port}/`))).toMatchObject({
      body: 'ok',
    });
  });

  it('that refuse connections on all addresses fail with connect and the error of each', async () => {
    const server = await startHttp(() => {}, '127.0.0.2');
    await server.stop();
    const client = clientWith(async () => ['127.0.0.2', '127.0.0.3'], {
      ...POLICY,
      allowedTargets: ['127.0.0.2/31'],
    });

    expect(await client.post(request(`http://listener.example:${server.port}/`))).toMatchObject({
      error: 'connect',
      message: expect.stringMatching(/127\.0\.0\.2.*; .*127\.0\.0\.3/) as string,
    });
  });

  it('without an address fail with dns', async () => {
    const names = await startNameServer({});
    const client = clientWith(names.lookup);

    expect(await client.post(request('http://unknown.example/'))).toMatchObject({
      error: 'dns',
      message: expect.stringContaining('unknown.example') as string,
    });
    expect(await clientWith(async () => []).post(request('http://unknown.example/'))).toMatchObject({
      error: 'dns',
    });
  });

  it('with an unresponsive name server fail with timeout and share one lookup', async () => {
    const lookup = jest.fn<Promise<string[]>, [string]>().mockReturnValue(new Promise(() => {}));
    const client = clientWith(lookup);
    const exchanges = await Promise.all(
      [1, 2, 3].map(() => client.post({ ...request('http://slow.example/'), connectTimeoutMs: 50 })),
    );

    expect(exchanges.map((result) => 'error' in result && result.error)).toEqual(Array(3).fill('timeout'));
    expect(lookup).toHaveBeenCalledTimes(1);
  });
});
