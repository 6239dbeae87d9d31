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

/** Two projects: "unit" runs in parallel; "system" starts backends and whole stacks, and runs one file at a time. */
export default {
  // Generous, for busy machines: each wait of a test has a deadline of its own. jest ignores this option in a project.
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{dashboard,libs,services}/**/*.test.ts'] },
    { ...common, displayName: 'system', testMatch: ['<rootDir>/tests/**/*.test.ts'] },
  ],
};
