import type { z } from 'zod';
import type { Issue } from '../errors/errors.ts';

/** Returns the JSON pointer (RFC 6901) of a path: `['fields', 0, 'a/b']` → `/fields/0/a~1b`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

type ZodIssue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Flattens the issues of a failed parse. An unknown key is a separate issue that points at the key;
 * a union has the issues of the alternative that the client most likely meant. Messages are those
 * of the parse; `readInput` sets plain ones.
 */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.flatMap((issue) => flatten(issue, []));
}

function flatten(issue: ZodIssue, parent: Path): Issue[] {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => issueAt([...path, key], issue.message));
    case 'invalid_key':
      return issue.issues.slice(0, 1).map((inner) => issueAt(path, `this key ${inner.message}`));
    case 'invalid_union': {
      const branch = meantBranch(issue.errors);
      return branch ? branch.flatMap((inner) => flatten(inner, path)) : [issueAt(path, issue.message)];
    }
    default:
      return [issueAt(path, issue.message)];
  }
}

/**
 * Returns the first alternative that accepts the kind of the input, so that only a part of it is
 * invalid.
 */
function meantBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined {
  return branches.find((issues) => issues.length > 0 && issues.every((issue) => !isOtherKind(issue)));
}

function isOtherKind(issue: ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function issueAt(path: Path, message: string): Issue {
  return {
    pointer: pointerOf(path.map((step) => (typeof step === 'number' ? step : String(step)))),
    message,
  };
}
