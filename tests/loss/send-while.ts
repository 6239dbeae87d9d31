import { createClient, poll, type OpenedInbound } from '@svcforms/test-kit';

export interface LoadOptions {
  /** So many requests; every second one has an Idempotency-Key. */
  count: number;
  /** What happens meanwhile, spread over the load: each begins when the one before has ended. */
  breakages: readonly (() => Promise<void>)[];
  /** Of the process that takes them. */
  baseUrl: string;
  inbound: OpenedInbound;
  /** Whether a 503 is as good as no answer: the store may be away. */
  mayBeUnavailable?: boolean;
}

export interface Load {
  /** Ids of submissions that were answered 202, by the mark that is their `message`. */
  accepted: ReadonlyMap<string, string>;
  /** The marks that went along as Idempotency-Key too. */
  keys: readonly string[];
  /** How often a connection broke or was not had. */
  withoutResponse: number;
  /** What no sender should be told, and what was never answered. */
  failures: readonly string[];
}

const SENDERS = 16;
/** Longer than a key stays with a request whose process died. */
const OUTAGE_MS = 60_000;

/**
 * Sends while things break, as careful senders do: a request that got no answer is sent again, the same one where it has a
 * key, else as a new one.
 * @throws what a breakage throws.
 */
export async function sendWhile({
  count,
  breakages,
  baseUrl,
  inbound,
  mayBeUnavailable = false,
}: LoadOptions): Promise<Load> {
  const client = createClient({ baseUrl, token: inbound.token });
  const accepted = new Map<string, string>();
  const keys: string[] = [];
  const failures: string[] = [];
  const repetitions: Promise<unknown>[] = [];
  let withoutResponse = 0;
  let next = 0;

  async function isAnswered(mark: string, headers: Record<string, string> = {}): Promise<boolean> {
    const body = { email: 'ada@example.com', message: mark };
    const response = await client
      .post<{ submissionId: string }>(`/api/inbound/${inbound.formId}`, { body, headers })
      .catch(() => null);
    if (response === null) withoutResponse += 1;
    else if (response.status === 202) accepted.set(mark, response.body.data.submissionId);
    // The process that was at it died, and the key is still taken.
    else if (response.body?.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
    else if (response.status === 503 && mayBeUnavailable) return false;
    else failures.push(`${mark}: ${response.status} ${response.text}`);
    return response !== null;
  }

  const complain = (error: unknown) => void failures.push(String(error));

  async function submitWithKey(key: string): Promise<void> {
    keys.push(key);
    const attempt = () => isAnswered(key, { 'idempotency-key': key });
    if (await attempt()) return;
    // Beside the rest of the load, because it may take its time.
    const options = { what: `an answer to ${key}`, everyMs: 500, timeoutMs: OUTAGE_MS };
    repetitions.push(poll(attempt, options).catch(complain));
  }

  async function submitWithoutKey(mark: string): Promise<void> {
    let tries = 0;
    const attempt = () => isAnswered(`${mark}, try ${(tries += 1)}`);
    const options = { what: `an answer to ${mark}`, everyMs: 100, timeoutMs: OUTAGE_MS };
    await poll(attempt, options).catch(complain);
  }

  const ends: Promise<void>[] = [Promise.resolve()];
  const begin = (index: number): Promise<void> =>
    (ends[index] ??= begin(index - 1).then(() => breakages[index - 1]?.()));
  const partSize = Math.ceil(count / (breakages.length + 1));

  /** The breakage of this part of the load is under way, and the one before has ended. */
  async function enterPart(part: number): Promise<void> {
    if (part === 0) return;
    await begin(part - 1);
    begin(part).catch(() => {
      // The next part, or the end, is told.
    });
  }

  async function sender(): Promise<void> {
    while (next < count) {
      const number = next++;
      await enterPart(Math.floor(number / partSize));
      await (number % 2 === 0 ? submitWithKey(`key ${number}`) : submitWithoutKey(`mark ${number}`));
    }
  }

  await Promise.allSettled(Array.from({ length: SENDERS }, sender));
  await begin(breakages.length);
  await Promise.all(repetitions);
  return { accepted, keys, withoutResponse, failures };
}
