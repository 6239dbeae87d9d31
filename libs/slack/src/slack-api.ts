import { requestedPauseMs, type GuardedClient, type PostResult } from '@svcforms/outbound';
import { jsonObject } from './json-object.ts';
import type { SlackConfig } from './slack-config.ts';

const TIMEOUT_MS = 5_000;
/**
 * Longer, because Slack may have posted the message whose response is late, and repeating the call
 * posts it again.
 */
const POST_TIMEOUT_MS = 12_000;
/** The user objects of large workspaces have long profiles. */
const MAX_RESPONSE_BYTES = 256 * 1024;

const RATE_LIMITED = new Set(['ratelimited', 'rate_limited', 'HTTP 429']);
/** The pause after a rate limit, unless Slack names one in `Retry-After`. */
const RATE_LIMIT_PAUSE_MS = 10_000;

/**
 * Errors that go away by themselves; all others need a change of the app, the channel or the
 * message.
 */
const TRANSIENT = new Set([
  ...RATE_LIMITED,
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'accesslimited',
  'message_limit_exceeded',
]);

/**
 * `isFinal`: repeating the call is no use. `isRateLimited`: the call was one too many, and nothing
 * is wrong with it. `pauseMs`: what Slack asks to wait, never 0 after a rate limit.
 */
export type SlackReply =
  | { ok: true; body: Record<string, unknown> }
  | { ok: false; error: string; isFinal: boolean; isRateLimited: boolean; pauseMs: number };

export interface SlackApi {
  /** Calls a method of the Web API with JSON, or with a form where the method takes no JSON. */
  call(method: string, args: { json: object } | { form: Record<string, string> }): Promise<SlackReply>;
  /** Posts to the `response_url` of a click. */
  respond(responseUrl: string, message: object): Promise<SlackReply>;
}

/**
 * The Web API of Slack. Failures are in the reply: no response, a status other than 2xx,
 * `ok: false`. https://docs.slack.dev/apis/web-api
 */
export function createSlackApi(
  { apiUrl, botToken }: Pick<SlackConfig, 'apiUrl' | 'botToken'>,
  { client, now = Date.now }: { client: Pick<GuardedClient, 'post'>; now?: () => number },
): SlackApi {
  const post = (
    url: string,
    contentType: string,
    body: string,
    { headers = {}, timeoutMs = TIMEOUT_MS }: { headers?: Record<string, string>; timeoutMs?: number } = {},
  ) =>
    client.post({
      url,
      headers: { 'content-type': contentType, ...headers },
      body,
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      keepResponseBytes: MAX_RESPONSE_BYTES,
    });

  return {
    async call(method, args) {
      const [type, body] =
        'json' in args
          ? ['application/json; charset=utf-8', JSON.stringify(args.json)]
          : ['application/x-www-form-urlencoded', new URLSearchParams(args.form).toString()];
      const result = await post(`${apiUrl}/${method}`, type, body, {
        headers: { authorization: `Bearer ${botToken}` },
        ...(method === 'chat.postMessage' && { timeoutMs: POST_TIMEOUT_MS }),
      });
      return replyOf(result, now(), true);
    },

    async respond(responseUrl, message) {
      return replyOf(await post(responseUrl, 'application/json', JSON.stringify(message)), now(), false);
    },
  };
}

function replyOf(result: PostResult, now: number, hasBody: boolean): SlackReply {
  if ('error' in result) return failure(result.error, { isFinal: false, pauseMs: 0 });
  const pauseMs = requestedPauseMs(result, now);
  if (result.status < 200 || result.status > 299)
    return failure(`HTTP ${result.status}`, { isFinal: false, pauseMs });
  if (!hasBody) return { ok: true, body: {} };
  const body = jsonObject(result.body);
  if (body?.['ok'] === true) return { ok: true, body };
  const error = typeof body?.['error'] === 'string' ? body['error'].slice(0, 100) : 'not a Slack response';
  return failure(error, { isFinal: body !== undefined && !TRANSIENT.has(error), pauseMs });
}

function failure(
  error: string,
  { isFinal, pauseMs }: { isFinal: boolean; pauseMs: number },
): Extract<SlackReply, { ok: false }> {
  const isRateLimited = RATE_LIMITED.has(error);
  const isUnnamed = isRateLimited && pauseMs === 0;
  return { ok: false, error, isFinal, isRateLimited, pauseMs: isUnnamed ? RATE_LIMIT_PAUSE_MS : pauseMs };
}
