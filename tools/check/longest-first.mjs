// @ts-check
import Sequencer from '@jest/test-sequencer';
import { existsSync } from 'node:fs';

/**
 * The files that take longest, in this order. jest knows no durations in a new clone and starts
 * with the largest files, but these are short: what they run is in folders beside them. Started
 * last, one of them would run alone for minutes.
 */
const LONGEST = [
  'tests/tasks/policy-kills.test.ts',
  'services/webhook-dispatcher/src/service-backends.test.ts',
  'tests/erasure/erasure.test.ts',
  'tests/e2e/standalone-backends.test.ts',
  'tests/e2e/standalone-embedded.test.ts',
  'tests/schemathesis/schemathesis.test.ts',
  'tests/backup/backup.test.ts',
  'services/webhook-dispatcher/src/service.test.ts',
  'services/hitl/src/service-backends.test.ts',
  'tests/transfer/account.test.ts',
  'tests/loss/services.test.ts',
  'tests/images/images.test.ts',
  'tests/tasks/slack.test.ts',
  'tests/backup/drill.test.ts',
  'tests/cli/cli.test.ts',
  'tests/loss/standalone.test.ts',
  'tests/sdk/tasks.test.ts',
  'tests/retention/retention.test.ts',
  'tests/hostile/hostile.test.ts',
  'tests/versions/versions.test.ts',
  'tests/tasks/kills.test.ts',
  'tests/start/settings.test.ts',
  'libs/document-store/src/mongo.test.ts',
  'services/hitl/src/service.test.ts',
];

for (const file of LONGEST) {
  if (!existsSync(new URL(`../../${file}`, import.meta.url)))
    throw new Error(`${file}, in the list of the longest test files, does not exist`);
}

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    return [...(await super.sort(tests))].sort((a, b) => rank(a.path) - rank(b.path));
  }
}

/** @param {string} path */
function rank(path) {
  const found = LONGEST.findIndex((file) => path.endsWith(file));
  return found === -1 ? LONGEST.length : found;
}
