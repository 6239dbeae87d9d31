// @ts-check
import { bundleTemplateProgram } from './tools/build/template-program.mjs';

const common = {
  testEnvironment: 'node',
  // Built into bundles (tools/build/build.ts), and unit tests run the sources.
  globals: { SVCFORMS_TEMPLATE_PROGRAM: bundleTemplateProgram() },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  globalSetup: '<rootDir>/libs/test-kit/src/run-setup.ts',
  globalTeardown: '<rootDir>/libs/test-kit/src/run-teardown.ts',
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/sdks/cli/', '<rootDir>/sdks/python/'],
};

/** Suites of tests/ that load both cores or measure time, so that another one beside them would spoil the result. */
const EXCLUSIVE = [
  'bench',
  'browser',
  'chaos',
  'cluster',
  'compose',
  'dashboard',
  'images',
  'load',
  'outbound',
];

/** `unit` and `system` run several files at a time; `exclusive` one. All but `unit` start backends and whole stacks. */
export default {
  // Generous, for busy machines: each wait of a test has a deadline of its own. jest ignores this option in a project.
  testTimeout: 60_000,
  testSequencer: '<rootDir>/tools/check/longest-first.mjs',
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{dashboard,libs,services}/**/*.test.ts'] },
    {
      ...common,
      displayName: 'system',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: [`<rootDir>/tests/(${EXCLUSIVE.join('|')})/`],
    },
    {
      ...common,
      displayName: 'exclusive',
      testMatch: [`<rootDir>/tests/{${EXCLUSIVE.join(',')}}/**/*.test.ts`],
    },
  ],
};
