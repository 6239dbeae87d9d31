import { Failure } from '../failure.ts';
import { printable } from '../screen.ts';

/** What the server says about a refused request (RFC 9457). */
interface Problem {
  code?: string;
  detail?: string;
  message?: string;
  requiredScope?: string;
  eventTypes?: string[];
  errors?: { pointer: string; message: string }[];
}

/**
 * Returns the members of an error's body that have the API's types. Another system can respond with
 * its own.
 */
export function problemOf(body: unknown): Problem {
  if (!isObject(body)) return {};
  const { code, detail, message, requiredScope, eventTypes, errors } = body;
  return {
    ...textAs('code', code),
    ...textAs('detail', detail),
    ...textAs('message', message),
    ...textAs('requiredScope', requiredScope),
    ...(Array.isArray(eventTypes) ? { eventTypes: eventTypes.filter(isText) } : {}),
    ...(Array.isArray(errors) ? { errors: errors.filter(isIssue) } : {}),
  };
}

/** The server refused a request. The message says what to do. */
export class ApiError extends Failure {
  readonly status: number;
  readonly code: string | null;
  readonly problem: Problem;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(status: number, problem: Problem, retryAfter: string | null, baseUrl: string) {
    super(printable(sentenceOf(status, problem, baseUrl)));
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code ?? null;
    this.problem = problem;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : null;
  }
}

/** The server didn't respond, or the connection broke. */
export class ConnectionError extends Failure {
  readonly reason: string;

  constructor(baseUrl: string, error: unknown) {
    const reason = reasonOf(error);
    super(`${baseUrl} can't be reached (${reason}); check that SvcForms runs there, or set SVC_BASE_URL.`);
    this.name = 'ConnectionError';
    this.reason = reason;
  }
}

/** The code of a network error, which `fetch` hides in causes. */
export function reasonOf(error: unknown): string {
  const { code, cause, errors, message, name } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (errors?.[0]) return reasonOf(errors[0]);
  if (cause) return reasonOf(cause);
  return message || name || String(error);
}

function sentenceOf(status: number, problem: Problem, baseUrl: string): string {
  const { code, requiredScope, eventTypes, errors } = problem;
  const said = (problem.detail ?? problem.message ?? `the server returned ${status}`).replace(/\.$/, '');
  if (status === 401)
    return `${baseUrl} refused the API key: it is wrong, expired or deleted; set SVC_API_KEY or run \`svcforms login\`.`;
  if (requiredScope !== undefined)
    return `The API key lacks the scope ${requiredScope}; create a key that has it in Settings, API keys.`;
  // `API` of the guides ends with /api, which is not a base URL.
  if (status === 404 && new URL(baseUrl).pathname !== '/')
    return `${said}; the base URL is ${baseUrl}, and usually has no path.`;
  if (code === 'UNKNOWN_EVENT_TYPE') return `${said}.`;
  if (status === 422 && errors?.some(({ pointer }) => pointer === '/format') && eventTypes === undefined)
    return `${baseUrl} doesn't know this format; update the server to the version of this program.`;
  const [first, ...others] = errors ?? [];
  if (first)
    return `${first.pointer || '/'} is refused: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}.`;
  if (code === undefined)
    return `${baseUrl} isn't the API of SvcForms (it returned ${status}); check SVC_BASE_URL.`;
  return `${said} (${code}).`;
}

function textAs<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  return isText(value) ? ({ [name]: value } as Record<Name, string>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isIssue(value: unknown): value is { pointer: string; message: string } {
  return isObject(value) && isText(value['pointer']) && isText(value['message']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
