import type { z } from 'zod';
import type { Issue } from '../errors/errors.ts';

/** Converts a path to a JSON pointer (RFC 6901): `['fields', 0, 'a/b']` → `/fields/0/a~1b`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Converts a JSON pointer to its path: `/fields/0/a~1b` → `['fields', '0', 'a/b']`. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type ZodIssue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Flattens a zod error. Each unknown key becomes an issue of its own that points at the key. A
 * union reports the issues of the alternative that the sender most likely meant. The messages are
 * those of the error; `readInput` supplies plain ones.
 */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  return flattenAll(error.issues, []);
}

/**
 * Zod also compares the length of a value whose type is wrong: a list where text belongs is too
 * short as well.
 */
function withoutSizesOfWrongTypes(issues: readonly ZodIssue[]): readonly ZodIssue[] {
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(keyOf));
  const isOfSize = ({ code }: ZodIssue) => code === 'too_small' || code === 'too_big';
  return wrong.size === 0 ? issues : issues.filter((issue) => !isOfSize(issue) || !wrong.has(keyOf(issue)));
}

const keyOf = ({ path }: ZodIssue): string => pointerOf(path.map(String));

const flattenAll = (issues: readonly ZodIssue[], parent: Path): Issue[] =>
  withoutSizesOfWrongTypes(issues).flatMap((issue) => flatten(issue, parent));

function flatten(issue: ZodIssue, parent: Path): Issue[] {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => issueAt([...path, key], issue.message));
    case 'invalid_key':
      return issue.issues.slice(0, 1).map((inner) => issueAt(path, `this key ${inner.message}`));
    case 'invalid_union': {
      const branch = intendedBranch(issue.errors);
      return branch ? flattenAll(branch, path) : [issueAt(path, issue.message)];
    }
    default:
      return [issueAt(path, issue.message)];
  }
}

/** The first alternative of the right type, where only something within it is wrong. */
function intendedBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined {
  return branches.find((issues) => issues.length > 0 && issues.every((issue) => !isTypeMismatch(issue)));
}

function isTypeMismatch(issue: ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function issueAt(path: Path, message: string): Issue {
  return {
    pointer: pointerOf(path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))),
    message,
  };
}
