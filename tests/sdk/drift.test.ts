import { BadRequestError, SvcForms } from '@svcforms/sdk';
import { root } from '@svcforms/test-kit';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(root + path, 'utf8');

/** Operations that aren't for programs with an API key, and their users. */
const OTHER_OPERATIONS = [
  /^\w+ \/api\/(auth|users|account|agents|invitations|oauth)\b/, // People who log in
  /^\w+ \/api\/mcp$/, // MCP clients
  /^(GET \/embed|GET \/f\/|(POST|GET) \/api\/forms\/\{formId\}\/(events|submission-token)$)/, // Browsers
];

/** Operation of the API → method of the Python SDK, which has the same surface. */
const METHODS = Object.fromEntries(
  [...read('sdks/python/tests/test_drift.py').matchAll(/^ {4}"([A-Z]+ \/[^" ]+)": "([\w.]+)",$/gm)].map(
    ([, operation = '', method = '']) => [operation, camel(method)],
  ),
);
const client = new SvcForms({ apiKey: 'svc_key_x' });

function camel(name: string): string {
  return name.replace(/_$/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function methodOf(path: string): unknown {
  return path.split('.').reduce((owner: unknown, name) => (owner as Record<string, unknown>)[name], client);
}

/** Headers that the SDK chooses, or derives from the secret. */
const OWN_HEADERS = ['Idempotency-Key', 'X-SvcForms-Signature-256', 'X-SvcForms-Timestamp'];

interface Parameter {
  in?: string;
  name?: string;
  $ref?: string;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
}

describe('the OpenAPI document', () => {
  // Generators name an inline object by its place: `payload` of `Webhook` is `WebhookPayload`.
  // openapi-python-client drops a schema with two such classes, and all responses that have it.
  it('has no schema with the name that generators give to an inline object', () => {
    const { components } = JSON.parse(read('docs/openapi.json')) as {
      components: { schemas: Record<string, Schema> };
    };
    const names = new Set(Object.keys(components.schemas).map((name) => name.toLowerCase()));
    const inlineNames = (name: string, { properties = {} }: Schema): string[] =>
      Object.entries(properties)
        .filter(([, { type }]) => type === 'object')
        .flatMap(([key, schema]) => {
          const own = `${name}${key.replace(/[^a-z0-9]/gi, '')}`.toLowerCase();
          return [own, ...inlineNames(own, schema)];
        });
    const inline = Object.entries(components.schemas).flatMap(([name, schema]) => inlineNames(name, schema));
    expect(inline.length).toBeGreaterThan(10);
    expect(inline.filter((name) => names.has(name))).toEqual([]);
  });
});

describe('the TypeScript SDK', () => {
  const { components, paths } = JSON.parse(read('docs/openapi.json')) as {
    components: { parameters: Record<string, Parameter> };
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, { parameters = [] }]) => ({
        operation: `${method.toUpperCase()} ${path}`,
        headers: parameters
          .map((one) => components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one)
          .flatMap((one) => (one.in === 'header' ? (one.name ?? '') : []))
          .filter((name) => !OWN_HEADERS.includes(name)),
      })),
  );
  const operations = described.map(({ operation }) => operation);

  it('has a method for every operation of the API that programs use', () => {
    expect(operations.length).toBeGreaterThan(80);
    const missing = operations
      .filter((operation) => !OTHER_OPERATIONS.some((pattern) => pattern.test(operation)))
      .filter((operation) => typeof methodOf(METHODS[operation] ?? '') !== 'function');
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(METHODS))('has, as the Python SDK, for %s the method %s', (operation, method) => {
    expect(operations).toContain(operation);
    expect(typeof methodOf(method)).toBe('function');
  });

  it('sends every header that callers choose', async () => {
    const sent: Record<string, string[]> = {};
    let operation = '';
    const sender = new SvcForms({
      apiKey: 'svc_key_x',
      maxRetries: 0,
      fetch: async (_, { headers }) => {
        sent[operation] = [...new Headers(headers).keys()];
        return new Response('', { status: 400 });
      },
    });
    const options = { ifMatch: '"1-1"', hops: 1, lastEventId: 'x-1' };
    const calls: Record<string, () => Promise<unknown>> = {
      'PUT /api/forms/{formId}': () => sender.forms.replace('frm_1', { name: 'A' }, options),
      'DELETE /api/forms/{formId}': () => sender.forms.delete('frm_1', options),
      'DELETE /api/forms/{formId}/draft': () => sender.forms.discardDraft('frm_1', options),
      'POST /api/forms/{formId}/publish': () => sender.forms.publish('frm_1', options),
      'POST /api/forms/{formId}/versions/{version}/restore': () => sender.forms.restore('frm_1', 1, options),
      'POST /api/forms/{formId}/submissions': () => sender.submissions.create('frm_1', {}, options),
      'POST /api/inbound/{formId}': () => sender.inbound.send('frm_1', 'svc_inb_x', {}, options),
      'GET /api/mcp/events/{eventType}': () => sender.events.stream('*', options).next(),
    };
    const expected = described.filter(({ headers }) => headers.length > 0);
    expect(Object.keys(calls).sort()).toEqual(expected.map((one) => one.operation).sort());
    for (const [name, call] of Object.entries(calls)) {
      operation = name;
      await expect(call()).rejects.toThrow(BadRequestError);
    }
    for (const one of expected)
      expect(sent[one.operation]).toEqual(
        expect.arrayContaining(one.headers.map((name) => name.toLowerCase())),
      );
  });

  it('describes every method in its reference', () => {
    const reference = read('sdks/typescript/docs/reference.md');
    const missing = Object.values(METHODS).filter((method) => !reference.includes(`### \`client.${method}(`));
    expect(missing).toEqual([]);
  });

  it('has every public method and class of the Python SDK', () => {
    const resources = 'sdks/python/src/svcforms/_async/resources';
    const files = execFileSync('git', ['ls-files', resources], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n');
    const methods = files.flatMap((file) => {
      const parts = read(file)
        .split(/^class Async/m)
        .slice(1);
      return parts.flatMap((part) => {
        const name = /^\w+/.exec(part)?.[0] ?? '';
        if (name === 'EventStream') return [];
        const owner =
          name === 'InboundEndpoints' ? 'inbound.endpoints' : name[0]?.toLowerCase() + name.slice(1);
        return [...part.matchAll(/^ {4}(?:async )?def ([a-z]\w*)/gm)].map(
          ([, method = '']) => `${owner}.${camel(method)}`,
        );
      });
    });
    expect(methods.length).toBeGreaterThan(70);
    expect(methods.filter((method) => typeof methodOf(method) !== 'function')).toEqual([]);
    const errors = [...read('sdks/python/src/svcforms/errors.py').matchAll(/^class ([A-Z]\w+)\(/gm)];
    const own = read('sdks/typescript/src/errors.ts');
    // Of its adapters for agent frameworks.
    const others = ['ApprovalUsedError'];
    expect(
      errors
        .map(([, name = '']) => name)
        .filter((name) => !others.includes(name))
        .filter((name) => !own.includes(`class ${name} `)),
    ).toEqual([]);
  });

  it.each(['generate-types', 'generate-reference'])('has the current result of %s', (script) => {
    const path = `${root}sdks/typescript/scripts/${script}.mjs`;
    const { status, stderr } = spawnSync(process.execPath, [path, '--check'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
