export type BackendName = 'nats' | 'mongo' | 'compose' | 'root' | 'kubernetes' | 'chromium' | 'promtool';

/** The backends missing in this run, each with the reason; determined once by `run-setup`. */
function missing(): Partial<Record<BackendName, string>> {
  return JSON.parse(process.env['SVC_TEST_MISSING'] ?? '{}') as Partial<Record<BackendName, string>>;
}

const required = process.env['CI'] === 'true' || process.env['SVC_REQUIRE'] === 'all';

/** `describe` for tests that need real backends; see {@link describeUnless}. */
export function describeWith(backends: readonly BackendName[], title: string, tests: () => void): void {
  const lacks = backends.flatMap((backend) => missing()[backend] ?? []);
  describeUnless(lacks.join('; '), title, tests);
}

/**
 * `describe` for tests with requirements on the machine. If `lacks` names a missing one, the tests
 * are skipped with the reason in the title; with `CI=true` or `SVC_REQUIRE=all` they fail instead,
 * unless the requirement is optional.
 */
export function describeUnless(
  lacks: string,
  title: string,
  tests: () => void,
  { isOptional = false }: { isOptional?: boolean } = {},
): void {
  if (lacks === '') {
    describe(title, tests);
  } else if (required && !isOptional) {
    describe(title, () => {
      it('has its requirements', () => {
        throw new Error(lacks);
      });
    });
  } else {
    describe.skip(`${title} [skipped: ${lacks}]`, tests);
  }
}
