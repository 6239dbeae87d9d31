import type { FormView } from '../core/ui.ts';
import type { Draft } from './draft.ts';
import type { Parts } from './parts.ts';
import type { SpokenView } from './spoken.ts';

export interface Submission {
  data: Record<string, unknown>;
  /** Milliseconds since the form was shown. */
  elapsedMs: number;
  /** The honeypot. */
  hp: string;
}

/** The result of a submission: accepted, or the errors of fields and of the whole form. */
export interface Outcome {
  submissionId?: string | undefined;
  /** Why it was refused, as in docs/reference/errors.md or `NETWORK`. Absent if it was accepted. */
  code?: string | undefined;
  message: string;
  fields: Record<string, string>;
}

/** Half of the lifetime of a token, which may be this old already when it's sent first. */
const MAX_AGE_MS = 3_600_000;

/** How long a request may take before the visitor can try again. */
const TIMEOUT_MS = 60_000;

/**
 * The size in bytes up to which a request outlives the page. Browsers allow 65 536 for all such
 * requests of a page together, and refuse the others.
 */
const OUTLIVING = 60_000;

/**
 * Returns a function that submits the form. Retries of unchanged values carry the same idempotency
 * key, so that they are stored once; with evidence, until its token is about to expire. `failed` is
 * what to say if there is no better message. `evidence` is absent in forms without spam protection.
 */
export function createSubmitter(
  { form, base, page, spoken: { language } }: SpokenView<FormView>,
  failed: string,
  evidence: ReturnType<Parts['token']['watch']>,
  draft: Draft,
): (submission: Submission) => Promise<Outcome> {
  // Kept, because a visitor may reload the page after a lost response.
  let [last, madeAt, key, body] = (draft.values[''] ?? []) as [string, number, string, string];
  return async function submit({ data, elapsedMs, hp }) {
    const request = { data, hp, metadata: { language }, ...(page && { page: location.href }) };
    const content = JSON.stringify(request);
    // A laptop that was asleep retries when the token in the body has expired.
    if (content !== last || (evidence && Date.now() - madeAt > MAX_AGE_MS)) {
      madeAt = Date.now();
      const shown = await evidence?.(elapsedMs);
      // Without evidence, an unchanged retry is another request, which may have it.
      last = shown && !('token' in shown) ? '' : content;
      key = crypto.getRandomValues(new Uint32Array(4)).join('-');
      body = JSON.stringify({ ...request, elapsedMs, ...shown });
      draft.keep('', [last, madeAt, key, body]);
    }
    // Fields may have any name.
    const outcome: Outcome = {
      code: 'NETWORK',
      message: failed,
      fields: Object.create(null),
    };
    try {
      const response = await fetch(`${base}/api/forms/${form.id}/submissions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body,
        keepalive: new Blob([body]).size < OUTLIVING,
        credentials: 'omit',
        signal: AbortSignal.timeout?.(TIMEOUT_MS),
      });
      const problem = (await response.json()) as {
        data?: { submissionId?: string };
        code?: string;
        message?: string;
        errors?: { pointer: string; message: string }[];
      };
      // Parsed before the status, because the page of a firewall doesn't say that it's stored.
      outcome.submissionId = problem.data?.submissionId;
      outcome.code = response.ok ? undefined : (problem.code ?? `${response.status}`);
      // Messages in another language would be out of place.
      if ((response.headers.get('content-language') ?? 'en') !== language) return outcome;
      for (const { pointer, message } of problem.errors ?? [])
        outcome.fields[pointer.replace('/data/', '')] = message;
      if (response.status < 429 && problem.message) outcome.message = problem.message;
    } catch {
      // The service is unreachable or the response is unreadable.
    }
    return outcome;
  };
}
