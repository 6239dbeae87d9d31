import type { z } from 'zod';
import type { ErrorCode } from '../errors/errors.ts';
import type { Scope } from '../api/api-key.ts';
import type { ReplyHeader, RequestHeader } from './headers.ts';

/** The public description of an operation: a route without its handler. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters such as `:formId`. */
  path: string;
  summary: string;
  /** Details beyond the summary; CommonMark. */
  description?: string;
  /** For generated clients. Default: from the summary. */
  operationId?: string;
  /** Default: from the path. */
  tag?: string;
  /** Callers with a scope, users with a session, any credentials, or everybody. */
  access: { scope: Scope } | 'session' | 'authenticated' | 'public';
  /** Whether users must have entered their password within the last ten minutes. Not for keys. */
  needsRecentLogin?: boolean;
  query?: z.ZodType;
  /** The JSON body. Absent: none. */
  body?: z.ZodType;
  /** Whether the JSON may be sent as `text/plain`, as browsers do while a page is unloaded. */
  takesText?: boolean;
  /** Whether an absent body means `{}`. */
  optionalBody?: boolean;
  /** The status of a successful response. */
  status: number;
  /** The schema of `data`, or of its entries if the query has a `cursor`. */
  response?: z.ZodType;
  /** The media types of a response that isn't JSON with `data`. */
  replyTypes?: readonly string[];
  /** Errors in addition to those of every operation of its kind. */
  errors?: readonly ErrorCode[];
  /** Whether it accepts `Idempotency-Key`, as every POST that creates something does. */
  idempotent?: boolean;
  /**
   * How requests are rate limited: `public` and, in separate buckets, `counters` by client network,
   * alone and per form; `inbound` by the argument of the handler's `count`. Default: by API key or
   * user, if there is one.
   */
  limit?: 'inbound' | 'public' | 'counters';
  /** Request headers in addition to `Idempotency-Key`. */
  requestHeaders?: readonly RequestHeader[];
  /** Response headers in addition to those of every operation of its kind. */
  replyHeaders?: readonly ReplyHeader[];
  /** A page or a file that isn't part of the API. */
  isPage?: boolean;
}
