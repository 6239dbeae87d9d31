import { networkInterfaces } from 'node:os';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createGuard, createGuardedClient, type GuardedClient, type Lookup, type Policy } from './index.ts';
import { startNameServer, stopNameServers } from './test-name-server.ts';
import { startHttp, stopServers } from './testing.ts';

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
  ])('are blocked where the address is not public and not allowed: %s', async (_what, host) => {
    const forbidden = await startHttp((_request, response) => response.end('secret'));
    const addresses: Record<string, string[]> = {
      'private.example': ['127.0.0.1'],
      'mixed.example': ['127.0.0.2', '127.0.0.1'],
      localhost: ['127.0.0.1'],
    };
    const client = clientWith(async (name) => addresses[name] ?? []);
    const exchange = await client.post(request(`http://${host}:${forbidden.port}/`));

    expect(exchange).toEqual({
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
  ])('are blocked by what the URL says, before anything is looked up: %s', async (url) => {
    const lookup = jest.fn<Promise<string[]>, [string]>().mockResolvedValue(['127.0.0.1']);
    const exchange = await clientWith(lookup, { allowedTargets: [], allowHttp: true }).post(request(url));

    expect(exchange).toMatchObject({ error: 'blocked_target' });
    expect(lookup).not.toHaveBeenCalled();
  });

  it('are http only where the policy says so', async () => {
    const server = await startHttp((_request, response) => response.end(), '127.0.0.2');
    const client = clientWith(undefined, { ...POLICY, allowHttp: false });

    expect(await client.post(request(`http://127.0.0.2:${server.port}/`))).toMatchObject({
      error: 'blocked_target',
      message: 'the URL must begin with https://',
    });
  });

  it('may be localhost and single-label names whose addresses are all allowed', async () => {
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
    it('may be IPv6 addresses', async () => {
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

  it('are looked up once for a connection, and only what was found is dialled', async () => {
    const allowed = await startHttp((_request, response) => response.end('allowed'), '127.0.0.2');
    const names = await startNameServer({ 'rebind.example': [['127.0.0.2'], ['127.0.0.1']] });
    const client = clientWith(names.lookup);
    const url = `http://rebind.example:${allowed.port}/`;

    expect(await client.post(request(url))).toMatchObject({ body: 'allowed' });
    expect(await client.post(request(url))).toMatchObject({ body: 'allowed' });
    expect(names.asked).toBe(1);
  });

  it('are judged again when they are called: a name that moved since it was saved is blocked', async () => {
    const names = await startNameServer({ 'rebind.example': [['93.184.216.34'], ['10.0.0.1']] });

    expect(await createGuard(POLICY, names).checkTarget('http://rebind.example/')).toBeNull();
    expect(await clientWith(names.lookup).post(request('http://rebind.example/'))).toMatchObject({
      error: 'blocked_target',
      message: expect.not.stringContaining('10.0.0.1') as string,
    });
  });

  it('are judged again for each connection: a name that moved between two is blocked', async () => {
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

  it('are blocked when one address among several is forbidden, whatever the order', async () => {
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

  it('that refuse on every address end as connect, with what each said', async () => {
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

  it('without an address end as dns', async () => {
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

  it('whose name server does not answer end as timeout, and share one look-up meanwhile', async () => {
    const lookup = jest.fn<Promise<string[]>, [string]>().mockReturnValue(new Promise(() => {}));
    const client = clientWith(lookup);
    const exchanges = await Promise.all(
      [1, 2, 3].map(() => client.post({ ...request('http://slow.example/'), connectTimeoutMs: 50 })),
    );

    expect(exchanges.map((exchange) => 'error' in exchange && exchange.error)).toEqual(
      Array(3).fill('timeout'),
    );
    expect(lookup).toHaveBeenCalledTimes(1);
  });
});
