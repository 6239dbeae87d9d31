import { createClient, poll, type Client, type OpenedInbound } from '@svcforms/test-kit';

export interface Sent {
  /** Ids of the accepted submissions. */
  accepted: ReadonlySet<string>;
  /** Requests that failed on the second try, too. */
  failures: readonly string[];
  /** How many requests needed a second try. */
  retried: number;
  /** The responses in outages that didn't accept the request. */
  refused: readonly Refusal[];
}

interface Refusal {
  status: number;
  code: string | undefined;
  /** The header `Retry-After`. */
  retryAfter: string | null;
}

export interface Sender {
  /**
   * Retries requests for longer while `work` runs, because an unavailable store accepts nothing.
   * @param work gets a function that says whether a request has been refused with 503 since
   */
  duringOutage(work: (isRefused: () => boolean) => Promise<void>): Promise<void>;
  stop(): Promise<Sent>;
}

const EVERY_MS = 50;
const RETRY_AFTER_MS = 500;
const OUTAGE_MS = 90_000;

/**
 * Sends twenty inbound submissions per second and retries each failed connection once with the same
 * Idempotency-Key.
 */
export function startSender(baseUrl: string, inbound: OpenedInbound): Sender {
  const client = createClient({ baseUrl, token: inbound.token });
  const accepted = new Set<string>();
  const failures: string[] = [];
  const refused: Refusal[] = [];
  const pending = new Set<Promise<void>>();
  let retried = 0;
  let outages = 0;
  let sent = 0;

  /** Returns `null` if the submission was accepted, otherwise the reason. */
  async function attempt(mark: string): Promise<string | null> {
    try {
      const { status, headers, body, text } = await post(client, inbound.formId, mark);
      if (status !== 202 && outages > 0)
        refused.push({ status, code: body?.code, retryAfter: headers.get('retry-after') });
      if (status !== 202) return `${mark}: ${status} ${text.slice(0, 200)}`;
      accepted.add(body.data.submissionId);
      return null;
    } catch (error) {
      return `${mark}: ${String(error)}`;
    }
  }

  async function send(mark: string): Promise<void> {
    const deadline = Date.now() + (outages > 0 ? OUTAGE_MS : RETRY_AFTER_MS);
    let failure = await attempt(mark);
    if (failure !== null) retried += 1;
    while (failure !== null) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      failure = await attempt(mark);
      if (Date.now() > deadline && outages === 0) break;
    }
    if (failure !== null) failures.push(failure);
  }

  const timer = setInterval(() => {
    const work = send(`mark ${(sent += 1)}`);
    pending.add(work);
    void work.finally(() => pending.delete(work));
  }, EVERY_MS);

  return {
    async duringOutage(work) {
      outages += 1;
      try {
        const before = refused.length;
        await work(() => refused.slice(before).some(({ status }) => status === 503));
        await poll(() => pending.size < 40, { what: 'the pending requests', timeoutMs: OUTAGE_MS });
      } finally {
        outages -= 1;
      }
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return { accepted, failures, retried, refused };
    },
  };
}

const post = (client: Client, formId: string, mark: string) =>
  client.post<{ submissionId: string }>(`/api/inbound/${formId}`, {
    body: { email: 'ada@example.com', message: mark },
    headers: { 'idempotency-key': mark },
  });
