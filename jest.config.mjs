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

/** Suites of tests/ with a browser: of the embed and the documentation, and of the dashboard. */
const BROWSERS = ['browser'];
const DASHBOARD = ['dashboard'];
/** Suites of tests/ that mostly wait, for containers and for pods. */
const CONTAINERS = ['compose'];
const CLUSTER = ['cluster'];
/**
 * Suites of tests/ that measure time or fill both cores, so that another one beside them would
 * spoil the result.
 */
const MEASURED = ['bench', 'outbound/dead-names'];

/**
 * The test files of these folders of tests/, or single ones.
 * @param {readonly string[]} suites
 */
const filesOf = (suites) => suites.map((suite) => `<rootDir>/tests/${suite}{/**/*,}.test.ts`);

/**
 * All but `unit` start backends and whole stacks. tools/check/test.ts says which of them run beside
 * each other.
 */
export default {
  // Generous, for busy machines: each wait of a test has a deadline of its own. jest ignores this
  // option in a project.
  testTimeout: 60_000,
  testSequencer: '<rootDir>/tools/check/longest-first.mjs',
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{dashboard,libs,services}/**/*.test.ts'] },
    {
      ...common,
      displayName: 'system',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: [
        `<rootDir>/tests/(${[...BROWSERS, ...DASHBOARD, ...CONTAINERS, ...CLUSTER, ...MEASURED].join('|')})[/.]`,
      ],
    },
    { ...common, displayName: 'browsers', testMatch: filesOf(BROWSERS) },
    { ...common, displayName: 'dashboard', testMatch: filesOf(DASHBOARD) },
    { ...common, displayName: 'containers', testMatch: filesOf(CONTAINERS) },
    { ...common, displayName: 'cluster', testMatch: filesOf(CLUSTER) },
    { ...common, displayName: 'measured', testMatch: filesOf(MEASURED) },
  ],
};
