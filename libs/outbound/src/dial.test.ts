import type { TLSSocket } from 'node:tls';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createGuardedClient, type GuardedClient, type Policy } from './index.ts';
import { makeCertificate, startHttp, startHttps, startTcp, stopServers, type TestServer } from './testing.ts';

jest.setTimeout(TEST_TIMEOUT_MS);

const POLICY: Policy = { allowedTargets: ['127.0.0.0/8'], allowHttp: true };
const lookup = async () => ['127.0.0.1'];

const clients: GuardedClient[] = [];
async function post(host: string, server: { port: number }, policy: Partial<Policy>) {
  const client = createGuardedClient({ ...POLICY, ...policy }, { lookup });
  clients.push(client);
  return client.post({ url: `https://${host}:${server.port}/`, headers: {}, body: '{}', timeoutMs: 5000 });
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await stopServers();
});

describe('a TLS connection', () => {
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;
  let other: typeof certificate;
  beforeAll(async () => {
    certificate = await makeCertificate(['hooks.example', '127.0.0.1']);
    other = await makeCertificate(['hooks.example']);
  });

  async function startSecure(): Promise<TestServer> {
    return startHttps(certificate.tls, (request, response) => {
      const { servername } = request.socket as TLSSocket;
      response.end(JSON.stringify({ sni: servername, host: request.headers.host }));
    });
  }

  it('is made with an authority that the policy adds', async () => {
    const server = await startSecure();
    const exchange = await post('hooks.example', server, { ca: other.ca + certificate.ca });

    expect(exchange).toMatchObject({ status: 200 });
    expect(JSON.parse('body' in exchange ? exchange.body : '')).toEqual({
      sni: 'hooks.example',
      host: `hooks.example:${server.port}`,
    });
  });

  it('leaves the dot that ends a name out of SNI and out of the comparison with the certificate', async () => {
    const server = await startSecure();
    const exchange = await post('hooks.example.', server, { ca: certificate.ca });

    expect(JSON.parse('body' in exchange ? exchange.body : '')).toMatchObject({ sni: 'hooks.example' });
  });

  it('to an address needs a certificate for that address, and sends no name', async () => {
    const server = await startSecure();

    expect(await post('127.0.0.1', server, { ca: certificate.ca })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"sni":false') as string,
    });
    expect(await post('127.0.0.2', server, { ca: certificate.ca })).toMatchObject({ error: 'connect' });
  });

  it('is kept for the next request', async () => {
    const server = await startSecure();
    const client = createGuardedClient({ ...POLICY, ca: certificate.ca }, { lookup });
    clients.push(client);
    const request = { url: `https://hooks.example:${server.port}/`, headers: {}, body: '{}' };

    expect(await client.post(request)).toMatchObject({ status: 200 });
    expect(await client.post(request)).toMatchObject({ status: 200 });
    expect(server.opened).toBe(1);
  });

  it.each<[string, string, () => Partial<Policy>, RegExp]>([
    ['from an authority that nobody trusts', 'hooks.example', () => ({}), /self-signed|unable to/],
    ['from another authority', 'hooks.example', () => ({ ca: other.ca }), /unable to|signature/],
    ['for another name', 'other.example', () => ({ ca: certificate.ca }), /other\.example/],
  ])('ends as tls on a certificate %s', async (_what, host, policy, message) => {
    const server = await startSecure();

    expect(await post(host, server, policy())).toMatchObject({
      error: 'tls',
      message: expect.stringMatching(message) as string,
    });
  });

  it('ends as tls where the endpoint speaks plain HTTP, without the inner names of OpenSSL', async () => {
    const server = await startHttp((_request, response) => response.end());

    expect(await post('hooks.example', server, { ca: certificate.ca })).toMatchObject({
      error: 'tls',
      message: expect.not.stringMatching(/openssl|\.c:/) as string,
    });
  });

  it('ends as tls where the handshake is cut off', async () => {
    const server = await startTcp((socket) => socket.destroy());

    expect(await post('hooks.example', server, { ca: certificate.ca })).toMatchObject({ error: 'tls' });
  });
});
