import type { z } from 'zod';
import type { ErrorCode } from '../errors/errors.ts';
import type { Scope } from '../api/api-key.ts';
import type { ReplyHeader, RequestHeader } from './headers.ts';

/** The public description of an API operation: a route without its handler. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters such as `:formId`, named after what they identify. */
  path: string;
  summary: string;
  /** Details beyond the summary, in CommonMark. */
  description?: string;
  /** Method name in generated clients. Default: derived from the summary. */
  operationId?: string;
  /** Section of the document. Default: derived from the path. */
  tag?: string;
  /**
   * Who may call it: credentials with the scope, logged-in users, any valid credentials, or
   * everybody.
   */
  access: { scope: Scope; orScope?: Scope; allForms?: true } | 'session' | 'authenticated' | 'public';
  /**
   * Whether users must have entered their password in the last ten minutes. API keys are exempt.
   */
  needsRecentLogin?: boolean;
  /** Whether users may call it before they have changed a generated password. */
  beforePasswordChange?: boolean;
  query?: z.ZodType;
  /** Schema of the JSON request body. Absent: the operation has no body. */
  body?: z.ZodType;
  /**
   * Whether the JSON may be sent as `text/plain`, which browsers do when a page sends data while it
   * closes.
   */
  takesText?: boolean;
  /** Whether the body may be omitted, which has the same effect as `{}`. */
  optionalBody?: boolean;
  /** Status code of a success. */
  status: number;
  /**
   * Responses with another status code than `status`. One takes the place of the errors with its
   * status. They have the headers of a success, and its body unless they are empty or name their
   * own media types.
   */
  otherReplies?: readonly {
    status: number;
    description: string;
    isEmpty?: true;
    types?: readonly string[];
  }[];
  /**
   * Schema of `data` in a success, or of one entry if the query has a `cursor` or it `isOnePage`.
   */
  response?: z.ZodType;
  /** Whether the response is a list that always fits on one page. */
  isOnePage?: boolean;
  /** Media types of a success other than JSON with `data`. */
  replyTypes?: readonly string[];
  /** Error codes in addition to those common to operations of this kind. */
  errors?: readonly ErrorCode[];
  /** Whether it accepts `Idempotency-Key`. Most POSTs that create a resource do. */
  idempotent?: boolean;
  /**
   * Rate limit. `public` counts by client network, in total and per form; `counters` does the same
   * in separate buckets; `inbound` counts by the key that the handler passes to `count`. Absent:
   * counts by API key or user, and public operations aren't limited.
   */
  limit?: 'inbound' | 'public' | 'counters';
  /** Request headers that it reads in addition to `Idempotency-Key`. */
  requestHeaders?: readonly RequestHeader[];
  /** Headers of a success in addition to those common to operations of this kind. */
  replyHeaders?: readonly ReplyHeader[];
  /** Whether it serves a page for people or a file, which the document omits. */
  isPage?: boolean;
}
