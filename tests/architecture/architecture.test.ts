import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { folderCycles } from './folder-cycles.ts';
import { isTestCode, packageOf, readPackages, ROOT, type Import } from './imports.ts';

/**
 * Which packages of ours, and which others, the code of a package may import. The arrows of
 * ARCHITECTURE.md.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'libs/contracts': ['zod', 'ulid'],
  'libs/document-store': ['@svcforms/primitives', 'libsql', 'mongodb'],
  'libs/event-bus': [
    '@svcforms/contracts',
    '@svcforms/primitives',
    '@nats-io/transport-node',
    '@nats-io/jetstream',
  ],
  'libs/outbox': [
    '@svcforms/contracts',
    '@svcforms/document-store',
    '@svcforms/event-bus',
    '@svcforms/primitives',
  ],
  'libs/records': [
    '@svcforms/contracts',
    '@svcforms/document-store',
    '@svcforms/event-bus',
    '@svcforms/outbox',
    '@svcforms/primitives',
  ],
  'libs/signing': [],
  // Their users install nothing else; the bundle of the command line contains what it imports.
  'sdks/cli': ['@svcforms/signing'],
  'sdks/typescript': [],
  'sdks/react': ['react'],
  'libs/payload-formats': ['@svcforms/contracts', '@svcforms/primitives', 'liquidjs'],
  'libs/slack': ['@svcforms/outbound', '@svcforms/runtime', '@svcforms/signing'],
  'libs/outbound': ['@svcforms/primitives', 'undici', 'ipaddr.js'],
  'libs/identity': [
    '@svcforms/contracts',
    '@svcforms/document-store',
    '@svcforms/primitives',
    '@svcforms/runtime',
    '@svcforms/signing',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    'otpauth',
  ],
  'libs/primitives': [],
  'libs/runtime': ['@svcforms/contracts', '@svcforms/primitives', 'pino', 'prom-client', 'zod'],
  'libs/http': [
    '@svcforms/contracts',
    '@svcforms/document-store',
    '@svcforms/identity',
    '@svcforms/primitives',
    '@svcforms/runtime',
    '@koa/cors',
    '@koa/router',
    'ipaddr.js',
    'koa',
    'ulid',
    'zod',
  ],
  'libs/service-runner': [
    '@svcforms/document-store',
    '@svcforms/event-bus',
    '@svcforms/http',
    '@svcforms/identity',
    '@svcforms/outbound',
    '@svcforms/primitives',
    '@svcforms/records',
    '@svcforms/runtime',
    '@svcforms/signing',
    '@svcforms/telemetry',
  ],
  'libs/telemetry': [
    '@svcforms/primitives',
    '@svcforms/runtime',
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-metrics-otlp-http',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
  ],
};

const LIBS = Object.keys(MAY_IMPORT)
  .filter((folder) => folder.startsWith('libs/'))
  .map((folder) => `@svcforms/${folder.slice('libs/'.length)}`);
const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'embed-cdn', 'hitl'];
/** What one service alone needs of others' packages. */
const OWN_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'forms-api': ['altcha-lib', 'csv-stringify', 'oidc-provider', 'openid-client', 'swagger-ui-dist'],
  'webhook-dispatcher': ['nodemailer'],
  standalone: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'],
  hitl: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'json-canonicalize', 'zod'],
};
/**
 * The files that put a process together: the service runner, those of the standalone, which has
 * embedded backends, and the command line.
 */
const COMPOSITION =
  /^libs\/service-runner\/src\/(run-service|backends)\.ts$|^services\/standalone\/src\/(main|backends|admin\/admin-backends|admin\/admin)\.ts$|^sdks\/cli\/src\/main\.ts$/;
const ADAPTERS = /^@svcforms\/(document-store|event-bus)\/(embedded|mongo|nats)$/;

const packages = readPackages();
const productImports = packages.flatMap(({ imports }) => imports.filter(({ file }) => !isTestCode(file)));
const say = ({ file, from }: Import) => `${file} imports ${from}`;
const isOutside = ({ from }: Import) => !from.startsWith('.') && !from.startsWith('node:');

describe('the structure of the workspace', () => {
  it('is read at all', () => {
    expect(productImports.length).toBeGreaterThan(300);
  });

  it.each(Object.entries(MAY_IMPORT))('%s imports only what its arrow allows', (folder, allowed) => {
    const imports = productImports.filter(({ file }) => file.startsWith(`${folder}/`)).filter(isOutside);
    expect(imports.filter(({ from }) => !allowed.includes(packageOf(from))).map(say)).toEqual([]);
  });

  it.each(SERVICES)('%s imports libraries, and no other service', (service) => {
    const imports = productImports
      .filter(({ file }) => file.startsWith(`services/${service}/`))
      .filter(isOutside);
    const allowed = [...LIBS, ...(OWN_PACKAGES[service] ?? [])];
    expect(imports.filter(({ from }) => !allowed.includes(packageOf(from))).map(say)).toEqual([]);
  });

  it('lets the dashboard import nothing of ours but the contracts', () => {
    const ours = productImports
      .filter(({ file, from }) => file.startsWith('dashboard/') && from.startsWith('@svcforms/'))
      .filter(({ from }) => from !== '@svcforms/contracts');
    expect(ours.map(say)).toEqual([]);
  });

  it.each([
    ['api', ['api', 'texts']],
    ['texts', ['texts']],
    ['components', ['api', 'components', 'texts']],
  ])('lets %s of the dashboard import only %j: screens know them, not they the screens', (part, allowed) => {
    const source = 'dashboard/src';
    const wrong = productImports
      .filter(({ file, from }) => file.startsWith(`${source}/${part}/`) && from.startsWith('.'))
      .filter(
        ({ file, from }) =>
          !allowed.includes(relative(source, join(dirname(file), from)).split('/')[0] ?? ''),
      );
    expect(wrong.map(say)).toEqual([]);
  });

  it('lets no screen of the dashboard import another one: only their routes.ts do', () => {
    const screens = 'dashboard/src/screens';
    // The folder `form` has a folder for each screen of a form, and two for what these screens
    // share.
    const screenOf = (path: string) => {
      const [screen = '', part = ''] = relative(screens, path).split('/');
      return screen === 'form' ? `${screen}/${part}` : screen;
    };
    const shared = ['form/draft', 'form/layout'];
    const wrong = productImports
      .filter(({ file, from }) => file.startsWith(`${screens}/`) && from.startsWith('.'))
      .filter(({ file, from }) => {
        const target = join(dirname(file), from);
        return target.startsWith(`${screens}/`) && ![screenOf(file), ...shared].includes(screenOf(target));
      })
      .filter(({ file }) => !file.endsWith('/routes.ts'));
    expect(wrong.map(say)).toEqual([]);
  });

  it('lets standalone import the services and libraries', () => {
    const services = SERVICES.map((service) => `@svcforms/${service}`);
    const allowed = [...LIBS, ...services, ...(OWN_PACKAGES['standalone'] ?? [])];
    const imports = productImports
      .filter(({ file }) => file.startsWith('services/standalone/'))
      .filter(isOutside);
    expect(imports.filter(({ from }) => !allowed.includes(packageOf(from))).map(say)).toEqual([]);
  });

  it('knows adapters only where a process is put together', () => {
    const wrong = productImports.filter(({ file, from }) => ADAPTERS.test(from) && !COMPOSITION.test(file));
    expect(wrong.map(say)).toEqual([]);
  });

  it('reads the environment only where a process is put together', () => {
    const readers = packages
      .flatMap(({ files }) => files)
      // A browser has none; the dashboard shows people programs of theirs that read it.
      .filter((file) => !isTestCode(file) && !file.startsWith('dashboard/'))
      .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('process.env'));
    expect(readers.filter((file) => !COMPOSITION.test(file))).toEqual([]);
  });

  it('keeps contracts free of Node, so that browsers can use them', () => {
    const wrong = productImports.filter(
      ({ file, from }) => file.startsWith('libs/contracts/') && from.startsWith('node:'),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it.each([
    ['core', ['core', 'rules', 'consent']],
    ['rules', ['core', 'rules']],
    ['consent', ['core', 'rules', 'consent']],
    ['triggers', ['core', 'triggers']],
    ['ui', ['core', 'ui']],
    ['debug', ['core', 'debug', 'rules', 'triggers']],
    ['parts', ['core', 'parts', 'ui']],
    ['preview', ['core', 'preview', 'triggers', 'ui']],
  ])(
    'lets %s of the embed import only %j: triggers and the renderer come in by its entrypoints',
    (part, allowed) => {
      const browser = 'services/embed-cdn/browser';
      const wrong = productImports
        .filter(({ file, from }) => file.startsWith(`${browser}/${part}/`) && from.startsWith('.'))
        .filter(
          ({ file, from }) =>
            !allowed.includes(relative(browser, join(dirname(file), from)).split('/')[0] ?? ''),
        );
      expect(wrong.map(say)).toEqual([]);
    },
  );

  it.each([
    ['jobs', []],
    ['store', []],
    ['webhooks', ['store']],
    ['queue', ['store']],
    ['record', ['queue', 'webhooks']],
    ['deliver', ['queue', 'record', 'webhooks']],
    ['fan-out', ['queue', 'store', 'webhooks']],
    ['mail', ['jobs', 'store']],
    ['slack', ['jobs', 'mail', 'store']],
    ['erase', ['fan-out', 'mail', 'queue']],
  ])('lets %s of the dispatcher import only %j, so that deliveries flow one way', (part, allowed) => {
    const source = 'services/webhook-dispatcher/src';
    const wrong = productImports
      .filter(({ file, from }) => file.startsWith(`${source}/${part}/`) && from.startsWith('.'))
      .filter(
        ({ file, from }) =>
          ![part, ...allowed].includes(relative(source, join(dirname(file), from)).split('/')[0] ?? ''),
      );
    expect(wrong.map(say)).toEqual([]);
  });

  it('uses the test kit, and what packages offer to tests, in tests alone', () => {
    const wrong = productImports.filter(({ from }) =>
      /^@svcforms\/(test-kit|[^/]+\/(testing|conformance))\b|\/test\/|\.test\.ts$/.test(from),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('reaches another package by its name, never by a path into it', () => {
    const wrong = packages.flatMap(({ folder, imports }) =>
      imports.filter(
        ({ file, from }) =>
          (from.startsWith('.') && !join(dirname(file), from).startsWith(`${folder}/`)) ||
          /^@svcforms\/[^/]+\/src\b/.test(from),
      ),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  const trees = packages
    .flatMap(({ folder }) => [`${folder}/src`, `${folder}/browser`])
    .filter((tree) => existsSync(join(ROOT, tree)));
  it.each([...trees, 'tools', 'tests'])(
    '%s has no folders that import each other, types included',
    (tree) => {
      expect(folderCycles(tree)).toEqual([]);
    },
  );

  it('has one index.ts a library, and none in folders', () => {
    const indexes = packages
      .flatMap(({ files }) => files.filter((file) => file.endsWith('/index.ts')))
      .sort();
    const libraries = packages
      .map(({ folder }) => folder)
      .filter((folder) => /^(libs|sdks)\//.test(folder) && folder !== 'sdks/cli');
    expect(indexes).toEqual(libraries.map((folder) => `${folder}/src/index.ts`).sort());
  });

  // knip says it of the dashboard, whose chart library needs packages beside it. The command line
  // is published as a bundle.
  const withSources = packages.filter(({ folder }) => !['dashboard', 'sdks/cli'].includes(folder));
  it.each(withSources)(
    '$folder declares exactly what its code imports',
    ({ folder, dependencies, imports }) => {
      const used = imports
        .filter(({ file }) => folder === 'libs/test-kit' || !isTestCode(file))
        .filter(isOutside);
      const names = new Set(used.map(({ from }) => packageOf(from)));
      // The test kit's packages are the root's, like every test's.
      const expected =
        folder === 'libs/test-kit' ? [...names].filter((name) => name.startsWith('@svcforms/')) : [...names];
      expect([...dependencies].sort()).toEqual(expected.sort());
    },
  );
});
