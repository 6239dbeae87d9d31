import { errorLine } from '@svcforms/runtime';
import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/** All options of the commands, and their types. */
const OPTIONS = {
  name: { type: 'string' },
  plan: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  password: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  account: { type: 'string' },
  continue: { type: 'boolean' },
  'passphrase-stdin': { type: 'boolean' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  since: { type: 'string' },
  yes: { type: 'string' },
  'lost-key': { type: 'string' },
  erasures: { type: 'string' },
} as const;

/** What a command takes: at most that many operands, and these options. */
interface Signature {
  operands?: number;
  options?: readonly (keyof typeof OPTIONS)[];
}

/**
 * Commands that aren't listed take nothing. `--password` is only there to be refused with the
 * reason.
 */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  'account create': { options: ['name', 'plan'] },
  'account set-plan': { operands: 2 },
  'account set-single-sign-on': { operands: 2 },
  'account delete': { operands: 1, options: ['yes'] },
  'account export': { operands: 2, options: ['passphrase-stdin'] },
  'account import': { operands: 1, options: ['continue', 'passphrase-stdin'] },
  'user create': { options: ['email', 'name', 'role', 'password', 'password-stdin', 'account'] },
  'user set-password': { operands: 1, options: ['password', 'password-stdin'] },
  'user remove-totp': { operands: 1 },
  'key create': { options: ['name', 'scopes', 'expires', 'account'] },
  'secrets reseal': { options: ['lost-key'] },
  'submission trace': { operands: 1 },
  'events republish': { options: ['since'] },
  dump: { operands: 1 },
  restore: { operands: 1, options: ['erasures'] },
  'backup verify': { operands: 1 },
  'backup restore': { operands: 1, options: ['erasures'] },
  'erasures export': { operands: 1 },
};

/** Parses a command line. @throws UsageError for unknown and repeated options */
export function readArguments(args: readonly string[]) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS, tokens: true });
  } catch (error) {
    throw new UsageError(errorLine(error));
  }
  const names = parsed.tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given more than once`);
  return parsed;
}

/** Checks that a command takes all that it was given: nothing is ignored. @throws UsageError */
export function checkArguments(
  name: string,
  given: { options: readonly string[]; operands: readonly string[] },
): void {
  const { operands = 0, options = [] }: Signature = SIGNATURES[name] ?? {};
  const foreign = given.options.find((option) => !options.some((own) => own === option));
  if (foreign !== undefined) throw new UsageError(`${name} has no option --${foreign}`);
  const extra = given.operands[operands];
  if (extra !== undefined) throw new UsageError(`${name} doesn't take the operand "${extra}"`);
}
