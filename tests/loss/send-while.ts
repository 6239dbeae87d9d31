import { createClient, poll, type OpenedInbound } from '@svcforms/test-kit';

interface LoadOptions {
  /** The number of requests; every second one has an Idempotency-Key. */
  count: number;
  /** Faults spread over the load; each begins after the previous one has ended. */
  faults: readonly (() => Promise<void>)[];
  /** The base URL of the process that receives the submissions. */
  baseUrl: string;
  inbound: OpenedInbound;
  /** Whether a 503 is retried like a missing response, because the store may be unavailable. */
  mayBeUnavailable?: boolean;
}

export interface Load {
  /** Ids of the accepted submissions by their mark, which is their `message`. */
  accepted: ReadonlyMap<string, string>;
  /** The marks that were also sent as Idempotency-Key. */
  keys: readonly string[];
  /** The number of requests whose connection failed or broke. */
  withoutResponse: number;
  /** Unexpected responses, and requests that never got a response. */
  failures: readonly string[];
}

const SENDERS = 16;
/** Longer than a key stays reserved for a request whose process died. */
const RETRY_FOR_MS = 60_000;

/**
 * Sends requests during faults like a careful client: a request without a response is repeated
 * with the same Idempotency-Key, or sent as a new one if it has none.
 * @throws the error of a fault.
 */
export async function sendWhile({
  count,
  faults,
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

  async function hasResponse(mark: string, headers: Record<string, string> = {}): Promise<boolean> {
    const body = { email: 'ada@example.com', message: mark };
    const response = await client
      .post<{ submissionId: string }>(`/api/inbound/${inbound.formId}`, { body, headers })
      .catch(() => null);
    if (response === null) withoutResponse += 1;
    else if (response.status === 202) accepted.set(mark, response.body.data.submissionId);
    // The process that handled the request died and the key is still reserved.
    else if (response.body?.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
    else if (response.status === 503 && mayBeUnavailable) return false;
    else failures.push(`${mark}: ${response.status} ${response.text}`);
    return response !== null;
  }

  const recordFailure = (error: unknown) => void failures.push(String(error));

  async function submitWithKey(key: string): Promise<void> {
    keys.push(key);
    const attempt = () => hasResponse(key, { 'idempotency-key': key });
    if (await attempt()) return;
    // In parallel to the remaining load, because it may take long.
    const options = { what: `a response to ${key}`, everyMs: 500, timeoutMs: RETRY_FOR_MS };
    repetitions.push(poll(attempt, options).catch(recordFailure));
  }

  async function submitWithoutKey(mark: string): Promise<void> {
    let tries = 0;
    const attempt = () => hasResponse(`${mark}, try ${(tries += 1)}`);
    const options = { what: `a response to ${mark}`, everyMs: 100, timeoutMs: RETRY_FOR_MS };
    await poll(attempt, options).catch(recordFailure);
  }

  const ends: Promise<void>[] = [Promise.resolve()];
  const begin = (index: number): Promise<void> =>
    (ends[index] ??= begin(index - 1).then(() => faults[index - 1]?.()));
  const partSize = Math.ceil(count / (faults.length + 1));

  /** Starts the fault of this part of the load after the previous one has ended. */
  async function startPart(part: number): Promise<void> {
    if (part === 0) return;
    await begin(part - 1);
    begin(part).catch(() => {
      // The next part, or the end, reports the error.
    });
  }

  async function sender(): Promise<void> {
    while (next < count) {
      const number = next++;
      await startPart(Math.floor(number / partSize));
      await (number % 2 === 0 ? submitWithKey(`key ${number}`) : submitWithoutKey(`mark ${number}`));
    }
  }

  await Promise.allSettled(Array.from({ length: SENDERS }, sender));
  await begin(faults.length);
  await Promise.all(repetitions);
  return { accepted, keys, withoutResponse, failures };
}
