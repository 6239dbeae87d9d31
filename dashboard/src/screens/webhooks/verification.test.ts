import { svcSignature } from '@svcforms/signing';
import { describeUnless, prepareProgram, type ProgramFile } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { VERIFICATION, type VerificationLanguage } from './verification.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==';
const BODY = '{"name":"Ünal","note":"a.b,v1="}';
const now = () => Math.floor(Date.now() / 1000);
const signed = (timestamp: number, secrets = [SECRET], body = BODY) =>
  svcSignature({ secrets, timestamp, body });

const CASES: readonly (readonly [what: string, header: () => string, expected: boolean])[] = [
  ['a current signature', () => signed(now()), true],
  ['a signature from 290 seconds ago', () => signed(now() - 290), true],
  [
    'a signature next to that of another secret',
    () => signed(now(), ['another secret, newer', SECRET]),
    true,
  ],
  ['a signature with spaces', () => signed(now()).replaceAll(',', ' , '), true],
  ['a signature from 310 seconds ago', () => signed(now() - 310), false],
  ['a signature from 310 seconds in the future', () => signed(now() + 310), false],
  ['another secret', () => signed(now(), ['another secret']), false],
  ['another body', () => signed(now(), [SECRET], `${BODY} `), false],
  ['another timestamp', () => signed(now()).replace(/t=\d+/, `t=${now() + 1}`), false],
  ['a truncated signature', () => signed(now()).slice(0, -32), false],
  ['a missing timestamp', () => signed(now()).replace(/t=\d+,/, ''), false],
  ['a timestamp that is not a number', () => signed(now()).replace(/t=\d+/, 't=NaN'), false],
  ['an empty header', () => '', false],
  ['a malformed header', () => 't=,v1=,,=', false],
];

interface Harness extends ProgramFile {
  /** Builds the whole file: the function and a program that calls it. */
  program: (check: string) => string;
}

/**
 * The programs read the secret, the body and headers as JSON from standard input, and print a list
 * of booleans.
 */
const HARNESSES: Record<VerificationLanguage, Harness> = {
  'Node.js': {
    file: 'verify.mjs',
    command: ['node'],
    program: (check) => `${check}
import { readFileSync } from 'node:fs';
const [secret, body, ...headers] = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(headers.map((header) => isGenuine(Buffer.from(body), header, secret))));`,
  },
  Python: {
    file: 'verify.py',
    command: ['python3'],
    program: (check) => `${check}
import json
import sys
secret, body, *headers = json.load(sys.stdin)
print(json.dumps([is_genuine(body.encode(), header, secret) for header in headers]))`,
  },
  PHP: {
    file: 'verify.php',
    command: ['php'],
    program: (check) => `${check}
$given = json_decode(file_get_contents('php://stdin'), true);
[$secret, $body] = $given;
echo json_encode(array_map(fn ($header) => isGenuine($body, $header, $secret), array_slice($given, 2)));`,
  },
  Go: {
    file: 'verify.go',
    command: ['go', 'build', '-o'],
    isCompiled: true,
    program: (check) => `${check
      .replace('package webhooks', 'package main')
      .replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var given []string
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, header := range given[2:] {
		results = append(results, IsGenuine([]byte(given[1]), header, given[0]))
	}
	output, _ := json.Marshal(results)
	fmt.Println(string(output))
}`,
  },
};

/** The first compilation in Go is slow on a busy machine. */
const COMPILE_TIMEOUT_MS = 300_000;

/** With `CI=true`, their tests fail instead of being skipped. */
const REQUIRED: readonly VerificationLanguage[] = ['Node.js', 'Python'];

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

for (const language of Object.keys(HARNESSES) as VerificationLanguage[]) {
  const harness = HARNESSES[language];
  const [runner] = harness.command;
  const lacks = isInstalled(runner) ? '' : `${runner} is not installed`;
  const title = `signature verification in ${language}`;
  const tests = () => {
    let results: boolean[];
    beforeAll(() => {
      const run = prepareProgram(harness, harness.program(VERIFICATION[language]));
      // Signed only now: a compilation would make them older.
      const input = JSON.stringify([SECRET, BODY, ...CASES.map(([, header]) => header())]);
      results = JSON.parse(run(input)) as boolean[];
    }, COMPILE_TIMEOUT_MS);

    it.each(CASES.map(([what, , expected], index) => [expected, what, index] as const))(
      'returns %s for %s',
      (expected, _, index) => {
        expect(results[index]).toBe(expected);
      },
    );
  };
  describeUnless(lacks, title, tests, { isOptional: !REQUIRED.includes(language) });
}
