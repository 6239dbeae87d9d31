import { request } from 'node:https';
import { testCertificate } from './certificate.ts';
import { createClient } from './client.ts';
import { startWebhookEndpoint } from './webhook-endpoint.ts';
import { poll } from './poll.ts';

describe('startWebhookEndpoint', () => {
  it('records requests byte for byte and responds with 200', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const rawBody = Buffer.from([0xff, 0x00, 0x0a]);
    const response = await createClient({ baseUrl: webhookEndpoint.url }).post('/hook?a=1', { rawBody });
    expect(response.status).toBe(200);
    const [received] = await webhookEndpoint.waitFor(1);
    expect(received).toMatchObject({ method: 'POST', path: '/hook?a=1', rawBody });
    expect(Math.abs((received?.receivedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('speaks TLS with a certificate signed by its own CA', async () => {
    const { key, cert, ca } = await testCertificate(['127.0.0.1', 'localhost']);
    const webhookEndpoint = await startWebhookEndpoint({ tls: { key, cert } });
    await new Promise<void>((resolve, reject) => {
      const sent = request(`${webhookEndpoint.url}/secure`, { ca }, (response) =>
        response.resume().on('end', resolve),
      );
      sent.on('error', reject).end();
    });
    expect(await webhookEndpoint.waitFor(({ path }) => path === '/secure')).toMatchObject({ method: 'GET' });
  });

  it('responds as configured, by request and count', async () => {
    const webhookEndpoint = await startWebhookEndpoint({
      respond: ({ path }, nth) => ({
        status: path === '/bad' ? 500 : 202,
        headers: { nth: `${nth}` },
        body: '{}',
      }),
    });
    const client = createClient({ baseUrl: webhookEndpoint.url });
    expect((await client.get('/good')).status).toBe(202);
    const second = await client.get('/bad');
    expect([second.status, second.headers.get('nth'), second.text]).toEqual([500, '2', '{}']);
  });

  it.each(['plain', 'tls'])('resets a connection (%s)', async (kind) => {
    const { key, cert, ca } = await testCertificate(['127.0.0.1']);
    const webhookEndpoint = await startWebhookEndpoint({
      respond: () => 'reset',
      ...(kind === 'tls' ? { tls: { key, cert } } : {}),
    });
    const failure =
      kind === 'plain'
        ? fetch(webhookEndpoint.url).catch((error: Error) => error.cause)
        : new Promise((resolve) => request(webhookEndpoint.url, { ca }).on('error', resolve).end());
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
  });

  it('counts the requests that it leaves open, and closes them when it is closed', async () => {
    const webhookEndpoint = await startWebhookEndpoint({ respond: () => 'hang' });
    const cut = [1, 2, 3].map(() => fetch(webhookEndpoint.url).catch(() => 'cut'));
    await poll(() => webhookEndpoint.maxConcurrent() === 3);
    await webhookEndpoint.close();
    expect(await Promise.all(cut)).toEqual(['cut', 'cut', 'cut']);
  });
});
