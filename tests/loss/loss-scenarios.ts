import { EVENT_TYPES, type Evidence } from './evidence.ts';

interface Arrival {
  eventId: string;
  /** `<submission id> <event type>` */
  subject: string;
  body: string;
}

function subjectOf(body: string): string {
  const { submissionId, eventType } = JSON.parse(body) as { submissionId: string; eventType: string };
  return `${submissionId} ${eventType}`;
}

const subjectsOf = (submissionIds: Iterable<string>): string[] =>
  [...submissionIds].flatMap((id) => EVENT_TYPES.map((type) => `${id} ${type}`));

/** Invariants that hold after any fault. Failures show the summary of the run. */
export function lossScenarios(evidence: () => Evidence): void {
  let arrivals: Arrival[] = [];
  let summary: object = {};

  beforeAll(() => {
    const { received, accepted, submissions, deliveries, withoutResponse } = evidence();
    arrivals = received.map(({ headers, rawBody }) => {
      const body = rawBody.toString();
      return { eventId: String(headers['svc-event-id']), subject: subjectOf(body), body };
    });
    const counts = [...countedBy(arrivals, ({ subject }) => subject).values()];
    summary = {
      accepted: accepted.size,
      withoutResponse,
      stored: submissions.length,
      deliveries: deliveries.length,
      received: arrivals.length,
      repeated: arrivals.length - counts.length,
      most: Math.max(0, ...counts),
    };
  });

  function expectNone(found: readonly unknown[]): void {
    const examples = found.slice(0, 5);
    expect({ count: found.length, examples, ...summary }).toEqual({ count: 0, examples: [], ...summary });
  }

  it('responds only with 202', () => {
    expectNone(evidence().failures);
  });

  it('delivers both events of every accepted submission', () => {
    const arrived = new Set(arrivals.map(({ subject }) => subject));
    expectNone(subjectsOf(evidence().accepted.values()).filter((subject) => !arrived.has(subject)));
  });

  it('delivers what it stored, even when the sender got no response', () => {
    const arrived = new Set(arrivals.map(({ subject }) => subject));
    expectNone(subjectsOf(evidence().submissions.map(({ _id }) => _id)).filter((one) => !arrived.has(one)));
  });

  it('repeats a delivery at most once per restart of the delivering process', () => {
    const counts = countedBy(arrivals, ({ eventId }) => eventId);
    expectNone([...counts].filter(([, count]) => count > 1 + evidence().kills));
  });

  it('sends the same id and bytes of an event every time', () => {
    const different = [
      ...new Set(arrivals.map(({ subject, eventId, body }) => JSON.stringify({ subject, eventId, body }))),
    ].map((text) => JSON.parse(text) as Arrival);
    const isRepeated = ([, count]: [string, number]) => count > 1;
    expectNone([...countedBy(different, ({ subject }) => subject)].filter(isRepeated));
    expectNone([...countedBy(different, ({ eventId }) => eventId)].filter(isRepeated));
  });

  it('records exactly one delivered delivery per event', () => {
    const { deliveries, submissions } = evidence();
    expectNone(deliveries.filter(({ status }) => status !== 'delivered'));
    const counts = countedBy(deliveries, ({ body }) => subjectOf(body));
    expectNone(subjectsOf(submissions.map(({ _id }) => _id)).filter((subject) => counts.get(subject) !== 1));
  });

  it('leaves no unpublished event in the store', () => {
    expectNone(evidence().submissions.filter(({ pendingKey, pendingEvents }) => pendingKey ?? pendingEvents));
  });

  it('creates one submission per Idempotency-Key, however often it is sent', () => {
    const { submissions, keys, accepted } = evidence();
    const markOf = ({ data }: { data: string }) => (JSON.parse(data) as { message: string }).message;
    const counts = countedBy(submissions, markOf);
    const ids = new Map(submissions.map((submission) => [markOf(submission), submission._id]));
    expectNone(keys.filter((key) => counts.get(key) !== 1 || ids.get(key) !== accepted.get(key)));
  });
}

function countedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
