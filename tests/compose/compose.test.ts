import { ERRORS } from '@svcforms/contracts';
import { createClient, createForm, describeWith, poll, root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { EDGE_SCENARIOS, needWholeChromium } from '../browser/scenarios/embed-scenarios.ts';
import { openFixture, type Fixture } from '../browser/fixture.ts';
import { describeMainJob } from '../e2e/scenarios/main-job.ts';
import { productOf } from '../e2e/stack.ts';
import { docker, startCompose, type ComposeStack } from './start-compose.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'embed-cdn', 'hitl'];
/** The setting that a service asks for first; absent: `NATS_URL`. */
const NEEDED: Readonly<Record<string, string>> = { 'embed-cdn': 'MONGODB_URL' };
const BASE = 'node:24-bookworm-slim';
const MB = 1_000_000;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };

/** Prints the user id and which paths the process can write to. */
const PROBE = `
  const { writeFileSync } = require('node:fs');
  const attempt = (path) => { try { writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
  console.log(JSON.stringify({ uid: process.getuid(), program: attempt('/app/main.cjs'), root: attempt('/x'), tmp: attempt('/tmp/x') }));
`;

interface Container {
  Config: { User: string };
  HostConfig: { Memory: number; PidsLimit: number; ReadonlyRootfs: boolean; CapDrop: string[] };
}

/** What the engine knows of the container of a service. */
async function inspected(stack: ComposeStack, service: string): Promise<Container> {
  const id = (await stack.compose('ps', '-q', service)).trim();
  const [container] = JSON.parse(await docker(['inspect', id])) as [Container];
  return container;
}

describeWith(['compose'], 'the Compose stack', () => {
  let stack: ComposeStack;

  beforeAll(async () => {
    stack = await startCompose();
  }, 300_000);

  describe.each(SERVICES)('the container of %s', (service) => {
    it('runs without root on a read-only file system', async () => {
      const printed = await stack.compose('exec', '-T', service, 'node', '-e', PROBE);
      expect(JSON.parse(printed)).toEqual({ uid: 1000, program: 'EROFS', root: 'EROFS', tmp: 'written' });
    });

    it('has no capabilities and cannot gain any', async () => {
      expect((await inspected(stack, service)).HostConfig).toMatchObject({
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
        Privileged: false,
        PortBindings: {},
      });
    });

    it('adds less than 250 MB to the Node image', async () => {
      const sizes = await docker(['image', 'inspect', '-f', '{{.Size}}', `svcforms/${service}`, BASE]);
      const [own = Infinity, base = 0] = sizes.trim().split('\n').map(Number);
      expect(own - base).toBeLessThan(250 * MB);
    });

    it('exits with code 78 and one line with the reason when its backends are not configured', async () => {
      const failure = await docker(['run', '--rm', `svcforms/${service}`]).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 78,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${service}: .*${NEEDED[service] ?? 'NATS_URL'}.*\\n$`)),
      });
    });
  });

  it.each([...SERVICES, 'nats', 'mongo', 'edge'])(
    'limits the memory, processes and log of %s',
    async (name) => {
      const { HostConfig } = await inspected(stack, name);
      expect(HostConfig).toMatchObject({
        Memory: expect.any(Number),
        PidsLimit: expect.any(Number),
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } },
      });
      expect(HostConfig.Memory).toBeGreaterThan(0);
      expect(HostConfig.PidsLimit).toBeGreaterThan(0);
    },
  );

  it.each(['nats', 'edge'])(
    'runs %s without root and capabilities on a read-only file system',
    async (name) => {
      const { Config, HostConfig } = await inspected(stack, name);
      expect({
        user: Config.User,
        isReadOnly: HostConfig.ReadonlyRootfs,
        dropped: HostConfig.CapDrop,
      }).toEqual({
        user: '1000:1000',
        isReadOnly: true,
        dropped: ['ALL'],
      });
    },
  );

  it('has one copy of what the images share, and three layers for each service', async () => {
    const layersOf = async (image: string) =>
      JSON.parse(await docker(['image', 'inspect', '-f', '{{json .RootFS.Layers}}', image])) as string[];
    const common = await layersOf('svcforms/common');
    for (const service of SERVICES) {
      const layers = await layersOf(`svcforms/${service}`);
      expect(layers.slice(0, common.length)).toEqual(common);
      expect(layers).toHaveLength(common.length + 3);
    }
  });

  it.each(SERVICES)('labels the image of %s with its version', async (service) => {
    const [{ Config }] = JSON.parse(await docker(['image', 'inspect', `svcforms/${service}`])) as [
      { Config: { Labels: Record<string, string> } },
    ];
    expect(Config.Labels).toMatchObject({
      'org.opencontainers.image.title': `SvcForms ${service}`,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': expect.stringMatching(/^([0-9a-f]{40}|unknown)$/),
    });
  });

  it('returns the version at the edge', async () => {
    const response = await fetch(`${stack.baseUrl}/version`);
    expect(await response.json()).toEqual({ version, commit: expect.any(String) });
  });

  it('lets users log in at the IP address that they called, beside the base URL', async () => {
    const body = JSON.stringify({ email: 'owner@example.com', password: 'owner password' });
    const logIn = async (origin: string, forwardedHost = {}) => {
      const headers = { 'content-type': 'application/json', origin, ...forwardedHost };
      return (await fetch(`${stack.baseUrl}/api/auth/login`, { method: 'POST', headers, body })).status;
    };
    expect(await logIn(stack.baseUrl.replace('127.0.0.1', 'localhost'))).toBe(200);
    expect(await logIn(stack.baseUrl)).toBe(200);
    expect(await logIn('http://192.0.2.1:8080', { 'x-forwarded-host': '192.0.2.1:8080' })).toBe(403);
  });

  it.each(['/livez', '/readyz', '/metrics'])('does not expose %s at the edge', async (path) => {
    expect((await fetch(stack.baseUrl + path)).status).toBe(404);
  });

  it.each(['/embed', '/f', '/api/inbound', '/api/slack'])(
    'responds to %s alone as to any unknown path, without a redirect',
    async (path) => {
      const response = await fetch(stack.baseUrl + path, { redirect: 'manual' });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it('serves the public keys of webhooks at the edge', async () => {
    const response = await fetch(`${stack.baseUrl}/.well-known/webhooks-keys.json`);
    expect(await response.json()).toEqual({ keys: expect.any(Array) });
  });

  it('serves the embed, public forms and their pages at the edge, compressed by the service', async () => {
    const client = createClient({ baseUrl: stack.baseUrl, token: stack.apiKey });
    const form = await createForm(client);
    const script = await fetch(`${stack.baseUrl}/embed.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(script.headers.get('content-encoding')).toBe('gzip');
    expect(script.headers.get('cache-control')).toContain('max-age=300');
    const etag = script.headers.get('etag') ?? '';
    const again = await fetch(`${stack.baseUrl}/embed.js`, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    const [ending] = /\.[0-9a-f]{12}\.js/.exec(await script.text()) ?? [];
    expect((await fetch(`${stack.baseUrl}/embed/ui${ending}`)).headers.get('cache-control')).toContain(
      'immutable',
    );
    const json = await fetch(`${stack.baseUrl}/embed/forms/${form.id}.json`);
    expect(json.headers.get('access-control-allow-origin')).toBe('*');
    expect(await json.json()).toMatchObject({ id: form.id });
    expect(await (await fetch(`${stack.baseUrl}/f/${form.id}`)).text()).toContain(form.id);
  });

  it('reports an unavailable service like any other failure until it recovers', async () => {
    const visitor = createClient({ baseUrl: stack.baseUrl });
    const path = '/api/inbound/frm_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    await stack.compose('stop', 'inbound-gateway');
    const away = await visitor.post(path, { body: {}, expect: 503 });
    expect(away.headers.get('content-type')).toBe('application/problem+json');
    expect(away.body).toEqual({
      type: `${stack.baseUrl}/docs/errors#UNAVAILABLE`,
      title: ERRORS.UNAVAILABLE.title,
      status: 503,
      code: 'UNAVAILABLE',
      success: false,
      message: expect.any(String),
      requestId: away.headers.get('x-request-id'),
    });
    await stack.compose('start', 'inbound-gateway');
    await poll(async () => (await visitor.post(path, { body: {} })).status === 404, {
      what: 'the gateway behind the edge',
    });
  });

  describeWith(['chromium'], 'the embed through its edge', () => {
    let fixture: Fixture;

    beforeAll(async () => {
      fixture = await openFixture(stack, { isWhole: EDGE_SCENARIOS.some(needWholeChromium) });
    });

    afterEach(() => fixture.endVisits());

    for (const scenarios of EDGE_SCENARIOS) {
      scenarios(
        () => fixture,
        () => productOf(stack),
      );
    }
  });

  describeMainJob('through its edge', async () => stack);
});
