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

/** Two projects: "unit" runs in parallel; "system" starts engines and whole stacks, and runs one file at a time. */
export default {
  // A test that hangs is found by the deadline of what it waits for; this is for machines with much else to do. jest
  // doesn't read it in a project.
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{dashboard,libs,services}/**/*.test.ts'] },
    { ...common, displayName: 'system', testMatch: ['<rootDir>/tests/**/*.test.ts'] },
  ],
};
