// @ts-check
const common = {
  testEnvironment: 'node',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  globalSetup: '<rootDir>/libs/test-kit/src/run-setup.ts',
  globalTeardown: '<rootDir>/libs/test-kit/src/run-teardown.ts',
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/sdks/'],
};

/** Suites of tests/ that drive Chromium. They mostly wait, but starting containers beside them breaks connections. */
const BROWSER = ['browser', 'dashboard'];
/** Suites of tests/ that load both cores or measure time, so that another one beside them would spoil the result. */
const EXCLUSIVE = [
  'bench',
  'chaos',
  'cluster',
  'compose',
  'e2e',
  'export',
  'load',
  'outbound',
  'schemathesis',
];
const elsewhere = [...BROWSER, ...EXCLUSIVE].join('|');
const suites = (/** @type {string[]} */ folders) => [`<rootDir>/tests/{${folders.join(',')}}/**/*.test.ts`];

/** `exclusive` runs one file at a time, the others two. All but `unit` start backends and whole stacks. */
export default {
  // Generous, for busy machines: each wait of a test has a deadline of its own. jest ignores this option in a project.
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{dashboard,libs,services}/**/*.test.ts'] },
    {
      ...common,
      displayName: 'system',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: [`<rootDir>/tests/(${elsewhere})/`],
    },
    { ...common, displayName: 'browser', testMatch: suites(BROWSER) },
    { ...common, displayName: 'exclusive', testMatch: suites(EXCLUSIVE) },
  ],
};
