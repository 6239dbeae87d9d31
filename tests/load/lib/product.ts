import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import { fail } from 'k6';

/** Where the product is reached; `npm run load` sets it. */
export const BASE_URL = __ENV.BASE_URL ?? '';
/** Where webhooks go, and who measures them: tests/load/sink.ts, as this process reaches it. */
export const SINK_URL = __ENV.SINK_URL ?? '';
/** The same as the product reaches it. */
const SINK_FOR_PRODUCT = __ENV.SINK_FOR_PRODUCT ?? SINK_URL;
const API_KEY = __ENV.API_KEY ?? '';

/** A short look that everything runs, instead of a measurement. */
const SMOKE = __ENV.SMOKE === '1';

/** What a script takes in a measurement, and in a smoke. */
export const scaled = (full: number, smoke: number): number => (SMOKE ? smoke : full);

type Thresholds = Record<string, string[]>;

/** What must hold always, and what is asked of a measurement alone: a smoke may meet a machine with much else to do. */
export const thresholds = (always: Thresholds, measured: Thresholds): Thresholds =>
  SMOKE ? always : { ...always, ...measured };

interface Created {
  id: string;
  token?: string;
}

/** What an answer says, for a person. */
export const bodyOf = ({ body }: RefinedResponse<ResponseType | undefined>): string =>
  typeof body === 'string' ? body.slice(0, 300) : 'nothing that can be read';

/** Headers of a management call. */
export const authorized = { 'Content-Type': 'application/json', Authorization: `Bearer ${API_KEY}` };

/** POSTs to the management API; gives `data` of the answer. Ends the run when it is refused. */
export function create<T = Created>(path: string, body: object): T {
  const answer = http.post(BASE_URL + path, JSON.stringify(body), {
    headers: authorized,
    tags: { name: 'setup' },
  });
  if (answer.status !== 201) fail(`POST ${path}: ${answer.status} ${bodyOf(answer)}`);
  return (answer.json() as unknown as { data: T }).data;
}

const FIELDS = [
  { name: 'email', type: 'email', required: true },
  { name: 'name', type: 'text' },
  { name: 'message', type: 'textarea' },
  { name: 'sentAt', type: 'hidden' },
];

/** A form that people fill in, with a webhook to the sink for what arrives. `mark` keeps runs and scripts apart. */
export function createForm(mark: string): { formId: string } {
  const form = create('/api/forms', { name: `load ${mark}`, fields: FIELDS });
  create(`/api/forms/${form.id}/webhooks`, {
    url: `${SINK_FOR_PRODUCT}/hook/${mark}`,
    events: ['form.submission.new'],
  });
  return { formId: form.id };
}

/** The same, with an inbound endpoint. */
export function createInboundForm(mark: string): { formId: string; token: string } {
  const { formId } = createForm(mark);
  const { token } = create(`/api/forms/${formId}/inbound`, {});
  if (!token) fail('the inbound endpoint came without its token');
  return { formId, token };
}

/** About 1 KB of what people write. `sentAt` is for the sink, which measures from it. */
export function values(): Record<string, string> {
  return {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    message: 'The engine weaves algebraical patterns. '.repeat(20),
    sentAt: String(Date.now()),
  };
}

/** How many submissions the product says it accepted for a form made in this run. */
export function acceptedBy(formId: string): number {
  const answer = http.get(`${BASE_URL}/api/forms/${formId}/stats`, {
    headers: authorized,
    tags: { name: 'setup' },
  });
  const { data } = answer.json() as unknown as { data: { submissions: number }[] };
  return data.reduce((sum, day) => sum + day.submissions, 0);
}
