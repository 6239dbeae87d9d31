import { generateSigningKey, readSigningKey, standardWebhooksHeaders } from '@svcforms/signing';
import { describeUnless, prepareProgram, type ProgramFile } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { PUBLIC_KEY_VERIFICATION } from './public-key-verification.ts';

type Language = keyof typeof PUBLIC_KEY_VERIFICATION;
type Headers = Record<string, string>;

const { publicKey, privateKey } = generateSigningKey();
const BODY = '{"name":"Ünal","note":"a.b,v1a,"}';
const SECRET = 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==';

function signed({ age = 0, body = BODY, key = privateKey, secrets = [SECRET] } = {}): Headers {
  const timestamp = Math.floor(Date.now() / 1000) - age;
  return {
    ...standardWebhooksHeaders({ secrets, signingKey: readSigningKey(key), id: 'evt_1', timestamp, body }),
  };
}
const changed = (name: string, change: (value: string) => string): Headers => {
  const headers = signed();
  return { ...headers, [name]: change(headers[name] ?? '') };
};

const CASES: readonly (readonly [what: string, headers: () => Headers, expected: boolean])[] = [
  ['a current signature beside that of a secret', () => signed(), true],
  ['a signature beside those of two secrets', () => signed({ secrets: [SECRET, 'another secret'] }), true],
  [
    'a signature after another public-key signature',
    () => changed('webhook-signature', (value) => `v1a,${'A'.repeat(86)}== ${value}`),
    true,
  ],
  ['a signature from 290 seconds ago', () => signed({ age: 290 }), true],
  ['a signature from 310 seconds ago', () => signed({ age: 310 }), false],
  ['a signature from 310 seconds in the future', () => signed({ age: -310 }), false],
  ['the signature of another key', () => signed({ key: generateSigningKey().privateKey }), false],
  ['another body', () => signed({ body: `${BODY} ` }), false],
  ['another id', () => changed('webhook-id', () => 'evt_2'), false],
  ['another timestamp', () => changed('webhook-timestamp', (value) => String(Number(value) + 1)), false],
  ['a timestamp that is not a number', () => changed('webhook-timestamp', () => 'NaN'), false],
  [
    'the signature of the secret alone',
    () => changed('webhook-signature', (value) => value.split(' ')[0] ?? ''),
    false,
  ],
  [
    'the signature under another name',
    () => changed('webhook-signature', (value) => value.replace('v1a,', 'v1,')),
    false,
  ],
  ['a truncated signature', () => changed('webhook-signature', (value) => value.slice(0, -44)), false],
  ['a signature that is not base64', () => changed('webhook-signature', () => 'v1a,?'), false],
  ['no headers', () => ({}), false],
];

interface Harness extends ProgramFile {
  /** What must succeed for the tests to run. */
  probe: readonly [program: string, ...args: string[]];
  /** Builds the whole file: the function and a program that calls it. */
  program: (check: string) => string;
}

/**
 * The programs read the key, the body and headers as JSON from standard input, and print a list of
 * booleans.
 */
const HARNESSES: Record<Language, Harness> = {
  'Node.js': {
    file: 'verify.mjs',
    command: ['node'],
    probe: ['node', '--version'],
    program: (check) => `${check}
import { readFileSync } from 'node:fs';
const [publicKey, body, ...all] = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(all.map((headers) => isGenuine(Buffer.from(body), headers, publicKey))));`,
  },
  Python: {
    file: 'verify.py',
    command: ['python3'],
    probe: ['python3', '-c', 'import cryptography'],
    program: (check) => `${check}
import json
import sys
public_key, body, *all = json.load(sys.stdin)
print(json.dumps([is_genuine(body.encode(), headers, public_key) for headers in all]))`,
  },
  PHP: {
    file: 'verify.php',
    command: ['php'],
    probe: ['php', '-r', 'exit(function_exists("sodium_crypto_sign_verify_detached") ? 0 : 1);'],
    program: (check) => `${check}
$given = json_decode(file_get_contents('php://stdin'), true);
[$publicKey, $body] = $given;
echo json_encode(array_map(fn ($headers) => isGenuine($body, $headers, $publicKey), array_slice($given, 2)));`,
  },
  Go: {
    file: 'verify.go',
    command: ['go', 'build', '-o'],
    isCompiled: true,
    probe: ['go', 'version'],
    program: (check) => `${check
      .replace('package webhooks', 'package main')
      .replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var given []json.RawMessage
	var publicKey, body string
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	json.Unmarshal(given[0], &publicKey)
	json.Unmarshal(given[1], &body)
	results := []bool{}
	for _, raw := range given[2:] {
		sent := map[string]string{}
		json.Unmarshal(raw, &sent)
		headers := http.Header{}
		for name, value := range sent {
			headers.Set(name, value)
		}
		results = append(results, IsGenuine([]byte(body), headers, publicKey))
	}
	output, _ := json.Marshal(results)
	fmt.Println(string(output))
}`,
  },
};

/** The first compilation in Go is slow on a busy machine. */
const COMPILE_TIMEOUT_MS = 300_000;

for (const language of Object.keys(HARNESSES) as Language[]) {
  const harness = HARNESSES[language];
  const { probe } = harness;
  const [tool, ...probeArgs] = probe;
  const lacks = spawnSync(tool, probeArgs).status === 0 ? '' : `${probe.join(' ')} fails`;
  const tests = () => {
    let results: boolean[];
    beforeAll(() => {
      const run = prepareProgram(harness, harness.program(PUBLIC_KEY_VERIFICATION[language]));
      // Signed only now: a compilation would make them older.
      const input = JSON.stringify([publicKey, BODY, ...CASES.map(([, headers]) => headers())]);
      results = JSON.parse(run(input)) as boolean[];
    }, COMPILE_TIMEOUT_MS);

    it.each(CASES.map(([what, , expected], index) => [expected, what, index] as const))(
      'returns %s for %s',
      (expected, _, index) => {
        expect(results[index]).toBe(expected);
      },
    );
  };
  describeUnless(lacks, `public-key verification in ${language}`, tests, {
    isOptional: language !== 'Node.js',
  });
}
