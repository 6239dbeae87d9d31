import { errorLine } from '@svcforms/runtime';
import { parseArgs } from 'node:util';
import type { Command } from './admin-command.ts';
import { UsageError } from './usage-error.ts';

/**
 * All options of the commands, and their types. `--password` is only there to be refused with the
 * reason.
 */
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

export type OptionName = keyof typeof OPTIONS;

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
  { name, operands = 0, options = [] }: Pick<Command, 'name' | 'operands' | 'options'>,
  given: { options: readonly string[]; operands: readonly string[] },
): void {
  const foreign = given.options.find((option) => !options.some((own) => own === option));
  if (foreign !== undefined) throw new UsageError(`${name} has no option --${foreign}`);
  const extra = given.operands[operands];
  if (extra !== undefined) throw new UsageError(`${name} doesn't take the operand "${extra}"`);
}
