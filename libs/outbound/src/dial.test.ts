import type { TLSSocket } from 'node:tls';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createGuardedClient, type GuardedClient, type Policy } from './index.ts';
import {
  makeCertificate,
  startHttp,
  startHttps,
  startTcp,
  stopServers,
  type TestServer,
} from '../test/servers.ts';

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

  it('trusts an authority of the policy', async () => {
    const server = await startSecure();
    const result = await post('hooks.example', server, { ca: other.ca + certificate.ca });

    expect(result).toMatchObject({ status: 200 });
    expect(JSON.parse('body' in result ? result.body : '')).toEqual({
      sni: 'hooks.example',
      host: `hooks.example:${server.port}`,
    });
  });

  it('leaves a trailing dot out of SNI and the certificate check', async () => {
    const server = await startSecure();
    const result = await post('hooks.example.', server, { ca: certificate.ca });

    expect(JSON.parse('body' in result ? result.body : '')).toMatchObject({ sni: 'hooks.example' });
  });

  it('to an address needs a certificate for it and sends no name', async () => {
    const server = await startSecure();

    expect(await post('127.0.0.1', server, { ca: certificate.ca })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"sni":false') as string,
    });
    expect(await post('127.0.0.2', server, { ca: certificate.ca })).toMatchObject({ error: 'connect' });
  });

  it('is reused for the next request', async () => {
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
  ])('fails with tls for a certificate %s', async (_what, host, policy, message) => {
    const server = await startSecure();

    expect(await post(host, server, policy())).toMatchObject({
      error: 'tls',
      message: expect.stringMatching(message) as string,
    });
  });

  it("fails with tls for a plain HTTP endpoint, without OpenSSL's internal names", async () => {
    const server = await startHttp((_request, response) => response.end());

    expect(await post('hooks.example', server, { ca: certificate.ca })).toMatchObject({
      error: 'tls',
      message: expect.not.stringMatching(/openssl|\.c:/) as string,
    });
  });

  it('fails with tls for an incomplete handshake', async () => {
    const server = await startTcp((socket) => socket.destroy());

    expect(await post('hooks.example', server, { ca: certificate.ca })).toMatchObject({ error: 'tls' });
  });
});
