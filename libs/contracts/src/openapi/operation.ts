import type { z } from 'zod';
import type { ErrorCode } from '../errors/errors.ts';
import type { Scope } from '../api/api-key.ts';
import type { ReplyHeader, RequestHeader } from './headers.ts';

/** What clients may know of a call: a row of a route table without the function that answers it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters as `:formId`, named after what they identify. */
  path: string;
  summary: string;
  /** What the summary has no room for; CommonMark. */
  description?: string;
  /** For generated clients. Absent: made of the summary. */
  operationId?: string;
  /** Absent: by the path. */
  tag?: string;
  /** Holders of a scope, users who have logged in, whoever has credentials, or everybody. */
  access: { scope: Scope } | 'session' | 'authenticated' | 'public';
  /** Users must have given their password within the last ten minutes; keys need not. */
  needsRecentLogin?: boolean;
  query?: z.ZodType;
  /** JSON that the call takes. Absent: it takes none. */
  body?: z.ZodType;
  /** The JSON may come as `text/plain` too: what a browser sends of itself while its page is being left. */
  takesText?: boolean;
  /** The body may be absent, which means the same as `{}`. */
  optionalBody?: boolean;
  /** Of a success. */
  status: number;
  /** Shape of `data` in a success; of an entry of it where the query has a `cursor`. */
  response?: z.ZodType;
  /** Media types of a success that isn't JSON with `data`. */
  replyTypes?: readonly string[];
  /** Failures beside those that every call of its kind can answer. */
  errors?: readonly ErrorCode[];
  /** Takes `Idempotency-Key`. Every POST that creates does. */
  idempotent?: boolean;
  /**
   * By what its requests are counted: `public` and, in buckets of their own, `counters` by client network, alone and with the
   * form; `inbound` by what the handler gives `count`. Absent: by API key or user where the call has one, else they aren't.
   */
  limit?: 'inbound' | 'public' | 'counters';
  /** That the call reads, beside `Idempotency-Key`. */
  requestHeaders?: readonly RequestHeader[];
  /** That a success has, beside those of every call of its kind. */
  replyHeaders?: readonly ReplyHeader[];
  /** A page for people, or a file: no part of the API. */
  isPage?: boolean;
}
