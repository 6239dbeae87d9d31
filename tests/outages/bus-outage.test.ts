import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  poll,
  sendInbound,
  startWebhookEndpoint,
  startNats,
  startProcess,
  tempFolder,
  type Backend,
  type ProductProcess,
} from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRecordedLink } from '../replicas/recorded-link.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { readiness } from './readiness.ts';

jest.setTimeout(60_000);

describeWith(['nats', 'mongo'], 'services whose NATS server stops', () => {
  const apiKey = newApiKey();
  let nats: Backend;
  let formsApi: ProductProcess;
  let gateway: ProductProcess;
  let dispatcher: ProductProcess;

  beforeAll(async () => {
    nats = await startNats();
    atEnd(() => nats.remove());
    const env = await serviceSettings(nats.url, apiKey);
    formsApi = await startProcess('forms-api', { env });
    gateway = await startProcess('inbound-gateway', { env });
    dispatcher = await startProcess('webhook-dispatcher', { env });
  }, 120_000);

  const eachIs = (status: number) =>
    poll(
      async () => {
        const responses = await Promise.all([formsApi, gateway, dispatcher].map(readiness));
        return responses.every((response) => response.status === status) && responses;
      },
      { what: `${status} of /readyz` },
    );

  it('report it, keep accepting submissions, and deliver them when it is back', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);

    await nats.halt();
    for (const { body } of await eachIs(503)) {
      expect(body).toMatchObject({ code: 'UNAVAILABLE', failing: ['bus'] });
    }
    const sender = createClient({ baseUrl: gateway.url });
    const accepted: string[] = [];
    for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com']) {
      accepted.push((await sendInbound(sender, inbound, { email })).body.data.submissionId);
    }
    expect(webhookEndpoint.requests).toEqual([]);

    await nats.resume();
    for (const { body } of await eachIs(200)) expect(body).toEqual({ status: 'ok' });
    const arrived = await webhookEndpoint.waitFor(accepted.length);
    const ids = arrived.map(
      ({ rawBody }) => (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId,
    );
    expect(ids.toSorted()).toEqual(accepted.toSorted());
  });
});

describeWith(['nats', 'mongo'], 'a service whose NATS password changes on the server', () => {
  it('logs why it is refused once, and at each probe, until the password is valid again', async () => {
    const folder = tempFolder();
    const allow = (password: string) =>
      writeFileSync(join(folder, 'nats.conf'), `authorization: { user: svcforms, password: ${password} }`);
    allow('first-secret');
    const nats = await startNats({ args: ['-c', '/data/nats.conf'], folder });
    atEnd(() => nats.remove());
    let refusals = 0;
    const port = await openRecordedLink({
      target: { host: '127.0.0.1', port: Number(new URL(nats.url).port) },
      messageLength: (buffer) => buffer.indexOf('\n') + 1 || null,
      onMessage: (line) => void (refusals += line.toString().startsWith("-ERR 'Authorization") ? 1 : 0),
    });
    const service = await startProcess('inbound-gateway', {
      env: {
        ...(await serviceSettings(`nats://svcforms:first-secret@127.0.0.1:${port}`)),
        LOG_LEVEL: 'info',
      },
    });
    const linesWith = (text: string) =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(text));

    allow('second-secret');
    await nats.restart();
    await poll(() => refusals >= 3, { what: 'three refused attempts' });
    expect(await readiness(service)).toMatchObject({ status: 503, body: { failing: ['bus'] } });
    await poll(() => linesWith('there is no connection: Authorization Violation').length > 0, {
      what: 'the reason in the line of the probe',
    });
    expect(linesWith('"bus.lost"')).toHaveLength(1);
    const [refused, ...more] = linesWith('"bus.refused"');
    expect(more).toEqual([]);
    expect(JSON.parse(refused ?? '')).toMatchObject({
      level: 'error',
      err: { message: 'Authorization Violation' },
    });

    allow('first-secret');
    await nats.restart();
    await poll(() => linesWith('"bus.resumed"').length > 0, { what: 'the new connection in the log' });
    expect(await readiness(service)).toMatchObject({ status: 200 });
    expect(linesWith('"bus.resumed"')).toHaveLength(1);
    expect(service.output()).not.toContain('-secret');
  });
});
