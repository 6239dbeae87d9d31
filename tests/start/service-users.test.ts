import type { FormOut } from '@svcforms/contracts';
import {
  addWebhook,
  atEnd,
  createClient,
  createForm,
  describeWith,
  newApiKey,
  openInbound,
  poll,
  readEvents,
  root,
  runToEnd,
  sendInbound,
  startNats,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  type ProcessName,
  type ProductProcess,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serviceSettings } from './service-settings.ts';

jest.setTimeout(120_000);

const USERS = [
  'forms-api',
  'inbound-gateway',
  'hitl',
  'webhook-dispatcher',
  'embed-cdn',
  'admin',
  'backup',
] as const;
const variableOf = (user: string) => `NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

/** The names of settings that only some services need. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'forms-api': ['SVC_ENCRYPTION_KEY', 'SVC_BOOTSTRAP_PASSWORD', 'SVC_BOOTSTRAP_API_KEY'],
  'inbound-gateway': ['SVC_ENCRYPTION_KEY'],
  'webhook-dispatcher': ['SVC_ENCRYPTION_KEY'],
  hitl: ['SVC_ENCRYPTION_KEY'],
  'embed-cdn': [],
  admin: ['SVC_ENCRYPTION_KEY'],
};
const ALL_SECRETS = ['NATS_URL', ...new Set(Object.values(SECRETS).flat())];

describeWith(['nats', 'mongo'], 'services with only their own NATS users and secrets', () => {
  const apiKey = newApiKey();
  const services = new Map<ProcessName, ProductProcess>();
  let envOf: (name: ProcessName) => Record<string, string>;
  const urlOf = (name: ProcessName) => services.get(name)?.url ?? '';

  beforeAll(async () => {
    const passwords = Object.fromEntries(
      USERS.map((user) => [variableOf(user), `n${randomBytes(16).toString('hex')}`]),
    );
    const nats = await startNats({
      args: ['-c', '/etc/authorization.conf'],
      files: { '/etc/authorization.conf': readFileSync(`${root}k8s/nats/authorization.conf`, 'utf8') },
      env: passwords,
    });
    atEnd(() => nats.remove());
    const all = await serviceSettings(nats.url, apiKey);
    envOf = (name) => ({
      ...Object.fromEntries(
        Object.entries(all).filter(([key]) => !ALL_SECRETS.includes(key) || SECRETS[name]?.includes(key)),
      ),
      NATS_URL: nats.url.replace('nats://', `nats://${name}:${passwords[variableOf(name)]}@`),
      LOG_LEVEL: 'info',
    });
    // The store has no indexes yet, and the server no stream: each service has to cope with
    // starting first.
    for (const name of ['embed-cdn', 'inbound-gateway', 'hitl', 'forms-api', 'webhook-dispatcher'] as const)
      services.set(name, await startProcess(name, { env: envOf(name) }));
  }, 120_000);

  it('accept, deliver, stream and erase', async () => {
    const endpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: urlOf('forms-api'), token: apiKey });
    const form = await createForm(client);
    await addWebhook(client, form.id, {
      url: endpoint.url,
      events: ['form.submission.new', 'decision.approved'],
    });
    const inbound = await openInbound(client, form.id);
    const stream = await readEvents(`${urlOf('hitl')}/api/mcp/events/*`, { token: apiKey });

    const values = { email: 'ada@example.com' };
    await sendInbound(createClient({ baseUrl: urlOf('inbound-gateway') }), inbound, values);
    const visitor = createClient({ baseUrl: urlOf('forms-api') });
    await visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: values }, expect: 201 });
    const agent = createClient({ baseUrl: urlOf('hitl'), token: apiKey });
    const task = await agent.post<{ id: string }>('/api/mcp/tasks', {
      body: { templateId: form.id, title: 'Approve', prefill: values },
      expect: 201,
    });
    await agent.post(`/api/mcp/tasks/${task.body.data.id}/decision`, {
      body: { outcome: 'approved' },
      expect: 200,
    });
    await endpoint.waitFor(3);
    await poll(() => new Set(stream.frames.map(({ event }) => event)).has('hitl.task.completed'), {
      what: 'the frame of the approval',
    });
    stream.close();

    const page = await fetch(`${urlOf('embed-cdn')}/embed/forms/${form.id}.json`, {
      headers: { origin: 'https://shop.example:8443' },
    });
    expect(page.status).toBe(200);
    const seen = async () => (await client.get<FormOut>(`/api/forms/${form.id}`)).body.data.scriptLastSeen;
    await poll(async () => (await seen())?.host === 'shop.example:8443', {
      what: 'where the script was seen',
    });
    await client.delete(`/api/forms/${form.id}`, { expect: 204 });
    await poll(async () => (await fetch(`${urlOf('embed-cdn')}/f/${form.id}`)).status === 404, {
      what: 'the deletion at embed-cdn',
    });
  });

  it('say that emails become files while no mail server is set', () => {
    const lines = services.get('webhook-dispatcher')?.output().split('\n') ?? [];
    expect(lines.filter((line) => line.includes('"mail.files"'))).toEqual([
      expect.stringContaining('SMTP_URL is not set'),
    ]);
  });

  it('let the admin command dump, create a backup and export while the dispatcher is stopped, and delete', async () => {
    await services.get('webhook-dispatcher')?.stop();
    const client = createClient({ baseUrl: urlOf('forms-api'), token: apiKey });
    const form = await createForm(client);
    const { body } = await client.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      expect: 201,
    });
    const { submissionId } = body.data;
    await poll(
      async () => {
        const dump = await runToEnd('admin', { args: ['dump', '-'], env: envOf('admin') });
        expect(dump).toMatchObject({ code: 0 });
        return dump.stdout
          .split('\n')
          .some((line) => line.startsWith('{"event"') && line.includes(submissionId));
      },
      { what: 'a dump with the unread event' },
    );
    const backup = await runToEnd('admin', {
      args: ['backup', 'create'],
      env: { ...envOf('admin'), SVC_BACKUP_DIR: tempFolder() },
    });
    expect(backup).toMatchObject({ code: 0 });
    const accounts = await runToEnd('admin', { args: ['account', 'list'], env: envOf('admin') });
    const [first = ''] = accounts.stdout.split(' ');
    const exported = await runToEnd('admin', {
      args: ['account', 'export', first, '-', '--passphrase-stdin'],
      env: envOf('admin'),
      input: 'correct horse battery\n',
    });
    expect(exported).toMatchObject({ code: 0 });
    const created = await runToEnd('admin', {
      args: ['account', 'create', '--name', 'Another'],
      env: envOf('admin'),
    });
    const [id = ''] = created.stdout.split(' ');
    const args = ['account', 'delete', id, '--yes', id];
    expect(await runToEnd('admin', { args, env: envOf('admin') })).toMatchObject({ code: 0 });
  });

  it('never ask NATS for more than they may', () => {
    for (const [name, service] of services) {
      expect({ name, output: service.output() }).toEqual({
        name,
        output: expect.not.stringMatching(/permissions violation/i) as string,
      });
    }
  });
});
