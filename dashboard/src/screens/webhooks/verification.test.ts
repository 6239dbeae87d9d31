import { svcSignature } from '@svcforms/signing';
import { tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERIFICATION } from './verification.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVzIGluIGJhc2U2NA==';
const BODY = '{"name":"Ünal","note":"a.b,v1="}';
const now = () => Math.floor(Date.now() / 1000);
const signed = (timestamp: number, secrets = [SECRET], body = BODY) =>
  svcSignature({ secrets, timestamp, body });

const CASES: readonly (readonly [what: string, header: () => string, expected: boolean])[] = [
  ['a signature of now', () => signed(now()), true],
  ['one of 290 seconds ago', () => signed(now() - 290), true],
  ['one beside that of another secret', () => signed(now(), ['another secret, newer', SECRET]), true],
  ['one with spaces', () => signed(now()).replaceAll(',', ' , '), true],
  ['one of 310 seconds ago', () => signed(now() - 310), false],
  ['one of 310 seconds from now', () => signed(now() + 310), false],
  ['another secret', () => signed(now(), ['another secret']), false],
  ['another body', () => signed(now(), [SECRET], `${BODY} `), false],
  ['another time', () => signed(now()).replace(/t=\d+/, `t=${now() + 1}`), false],
  ['half of it', () => signed(now()).slice(0, -32), false],
  ['no time', () => signed(now()).replace(/t=\d+,/, ''), false],
  ['no number as its time', () => signed(now()).replace(/t=\d+/, 't=NaN'), false],
  ['nothing', () => '', false],
  ['nonsense', () => 't=,v1=,,=', false],
];

/** How a file with the function is asked about standard input: headers, a line each. */
const ASKING = {
  'Node.js': {
    file: 'verify.mjs',
    command: 'node',
    code: `
import { readFileSync } from 'node:fs';
const [secret, body, ...headers] = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(headers.map((header) => isGenuine(Buffer.from(body), header, secret))));`,
  },
  Python: {
    file: 'verify.py',
    command: 'python3',
    code: `
import json
import sys
secret, body, *headers = json.load(sys.stdin)
print(json.dumps([is_genuine(body.encode(), header, secret) for header in headers]))`,
  },
} as const;

describe.each(Object.keys(ASKING) as (keyof typeof ASKING)[])(
  'the check of a signature in %s',
  (language) => {
    const { file, command, code } = ASKING[language];
    let verdicts: boolean[];
    beforeAll(() => {
      const path = join(tempFolder(), file);
      writeFileSync(path, VERIFICATION[language] + code);
      const input = JSON.stringify([SECRET, BODY, ...CASES.map(([, header]) => header())]);
      verdicts = JSON.parse(execFileSync(command, [path], { input, encoding: 'utf8' })) as boolean[];
    });

    it.each(CASES.map(([what, , expected], index) => [what, expected, index] as const))(
      'is given %s, and answers %s.',
      (_, expected, index) => {
        expect(verdicts[index]).toBe(expected);
      },
    );
  },
);
