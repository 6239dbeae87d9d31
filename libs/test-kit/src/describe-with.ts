export type EngineName = 'nats' | 'mongo' | 'compose' | 'root';

/** Engines that this run lacks, each with its reason; found out once by `run-setup`. */
function missing(): Partial<Record<EngineName, string>> {
  return JSON.parse(process.env['SVC_TEST_MISSING'] ?? '{}') as Partial<Record<EngineName, string>>;
}

const required = process.env['CI'] === 'true' || process.env['SVC_REQUIRE'] === 'all';

/**
 * `describe` for tests that need real engines. Where one is missing they are skipped with the reason in the title;
 * with `CI=true` or `SVC_REQUIRE=all` they fail instead.
 */
export function describeWith(engines: readonly EngineName[], title: string, tests: () => void): void {
  const lacks = engines.flatMap((engine) => missing()[engine] ?? []);
  if (lacks.length === 0) {
    describe(title, tests);
  } else if (required) {
    describe(title, () => {
      it('has the engines that it needs', () => {
        throw new Error(lacks.join('; '));
      });
    });
  } else {
    describe.skip(`${title} [skipped: ${lacks.join('; ')}]`, tests);
  }
}
