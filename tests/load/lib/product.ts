import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import { fail } from 'k6';
import { Counter } from 'k6/metrics';

/** The origin of the product; `npm run load` sets it. */
export const BASE_URL = __ENV.BASE_URL ?? '';
/**
 * The origin of the webhook endpoint, which measures the deliveries (tests/load/sink.ts), for this
 * process.
 */
export const SINK_URL = __ENV.SINK_URL ?? '';
/** The same endpoint for the product. */
const SINK_FOR_PRODUCT = __ENV.SINK_FOR_PRODUCT ?? SINK_URL;
const API_KEY = __ENV.API_KEY ?? '';

/** Only checks in a short time that the scripts run, instead of measuring. */
const SMOKE = __ENV.SMOKE === '1';

/** Chooses between the value of a measurement and that of a smoke run. */
export const scaled = (full: number, smoke: number): number => (SMOKE ? smoke : full);

type Thresholds = Record<string, string[]>;

/**
 * The thresholds of every run, and those of measurements only: a smoke run may share a busy
 * machine.
 */
export const thresholds = (always: Thresholds, measured: Thresholds): Thresholds =>
  SMOKE ? always : { ...always, ...measured };

interface Created {
  id: string;
  token?: string;
}

/** The start of a response body, for messages. */
export const bodyOf = ({ body }: RefinedResponse<ResponseType | undefined>): string =>
  typeof body === 'string' ? body.slice(0, 300) : 'an unreadable body';

/** The headers of a request to the management API. */
export const authorized = { 'Content-Type': 'application/json', Authorization: `Bearer ${API_KEY}` };

/** POSTs to the management API and returns `data` of the response. An error status ends the run. */
export function create<T = Created>(path: string, body: object): T {
  const response = http.post(BASE_URL + path, JSON.stringify(body), {
    headers: authorized,
    tags: { name: 'setup' },
  });
  if (response.status !== 201) fail(`POST ${path}: ${response.status} ${bodyOf(response)}`);
  return (response.json() as unknown as { data: T }).data;
}

const FIELDS = [
  { name: 'email', type: 'email', required: true },
  { name: 'name', type: 'text' },
  { name: 'message', type: 'textarea' },
  { name: 'sentAt', type: 'hidden' },
];

/** Creates a form with a webhook to the sink. `mark` separates runs and scripts. */
export function createForm(mark: string): { formId: string } {
  const form = create('/api/forms', { name: `load ${mark}`, fields: FIELDS });
  create(`/api/forms/${form.id}/webhooks`, {
    url: `${SINK_FOR_PRODUCT}/hook/${mark}`,
    events: ['form.submission.new'],
  });
  return { formId: form.id };
}

/** Creates the same form with an inbound endpoint. */
export function createInboundForm(mark: string): { formId: string; token: string } {
  const { formId } = createForm(mark);
  const { token } = create(`/api/forms/${formId}/inbound`, {});
  if (!token) fail('the inbound endpoint has no token');
  return { formId, token };
}

/** About 1 KB of field values. The sink measures from `sentAt`. */
export function values(): Record<string, string> {
  return {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    message: 'The engine weaves algebraical patterns. '.repeat(20),
    sentAt: String(Date.now()),
  };
}

/** Accepted submissions that the product doesn't count at the end. */
const lost = new Counter('lost');

/** Counts a submission that the product has accepted. */
export const countAccepted = (): void => lost.add(1);

/**
 * The number of submissions that the product counts for a form of this run. The accepted ones that
 * it doesn't count stay in the metric `lost`.
 */
export function acceptedBy(formId: string): number {
  const response = http.get(`${BASE_URL}/api/forms/${formId}/stats`, {
    headers: authorized,
    tags: { name: 'setup' },
  });
  const { data } = response.json() as unknown as { data: { submissions: number }[] };
  const counted = data.reduce((sum, day) => sum + day.submissions, 0);
  lost.add(-counted);
  return counted;
}
