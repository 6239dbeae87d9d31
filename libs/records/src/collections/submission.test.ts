import { isId, MAX_BUS_BODY_BYTES, type BusEvent } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { capturedMetadata, type SubmissionMetadata } from './submission.ts';
import { newSubmission, submissionEventBody } from './submission-events.ts';
import { createSubmissionOutbox, storeSubmission } from './submission-sink.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const NOW = Date.parse('2026-03-14T09:26:53.589Z');
const FORM = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

const aSubmission = (data: string, metadata: Partial<SubmissionMetadata> = {}, id?: string) =>
  newSubmission({
    ...(id === undefined ? {} : { id }),
    accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    formId: FORM,
    data,
    metadata: { submittedVia: 'inbound', ...metadata } as { submittedVia: 'inbound' },
    requestId: 'req-1',
    now: NOW,
  });

describe('a new submission', () => {
  it('from an inbound endpoint has both pending events in order', () => {
    const { _id, createdAt, pendingEvents, pendingKey } = aSubmission('{}');
    expect(isId('sub', _id)).toBe(true);
    expect(createdAt).toBe('2026-03-14T09:26:53.589Z');
    expect(pendingEvents).toEqual(
      ['form.submission.new', 'submission.created'].map((type) => ({
        id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
        type,
        timestamp: createdAt,
        requestId: 'req-1',
      })),
    );
    expect(pendingKey).toBe(`${createdAt}|${_id}|submission.created`);
  });

  it('from the web has one pending event', () => {
    const { pendingEvents } = aSubmission('{}', { submittedVia: 'web' });
    expect(pendingEvents?.map(({ type }) => type)).toEqual(['form.submission.new']);
  });
});

describe('the body of its event', () => {
  const bodyOf = (data: string, metadata?: Partial<SubmissionMetadata>) =>
    submissionEventBody(aSubmission(data, metadata, 'sub_01J9ZC3V6M8K2Q4R5S7T9W1X40'), {
      type: 'form.submission.new',
      timestamp: '2026-03-14T09:26:53.589Z',
    });
  const HEAD =
    '{"eventType":"form.submission.new","formId":"frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y",' +
    '"submissionId":"sub_01J9ZC3V6M8K2Q4R5S7T9W1X40","timestamp":"2026-03-14T09:26:53.589Z"';

  it('has exactly these keys in this order', () => {
    expect(bodyOf('{"email":"ada@example.com"}')).toBe(
      `${HEAD},"data":{"email":"ada@example.com"},"metadata":{"submittedVia":"inbound"}}`,
    );
  });

  it('has the captured metadata', () => {
    const metadata = { ipAddress: '203.0.113.7', userAgent: 'curl/8 "x"', page: 'https://example.com/' };
    expect(bodyOf('{}', metadata)).toBe(
      `${HEAD},"data":{},"metadata":{"submittedVia":"inbound","ipAddress":"203.0.113.7",` +
        `"userAgent":"curl/8 \\"x\\"","page":"https://example.com/"}}`,
    );
  });

  it.each([
    '{"b":1,"a":{"d":[],"c":null}}',
    '{"n":100000000000000000000,"s":"👋\u2028</script>"}',
    String.raw`{"half":"\ud83d","__proto__":"x","":"empty"}`,
  ])('has the stored data byte for byte: %s', (data) => {
    expect(bodyOf(data)).toContain(`,"data":${data},"metadata":`);
    expect(JSON.parse(bodyOf(data))).toMatchObject({ submissionId: 'sub_01J9ZC3V6M8K2Q4R5S7T9W1X40' });
  });
});

describe('storing a submission', () => {
  async function openSink() {
    const { store, bus } = openEmbeddedPair();
    const events: BusEvent[] = [];
    await bus.consume('test', { batch: 10, ackWaitMs: 30_000 }, async (batch) => {
      events.push(...batch.map(({ event }) => event));
    });
    const log = { info() {}, warn() {} };
    return { sink: createSubmissionOutbox({ store, bus, log, now: () => NOW }), events };
  }

  it('publishes its events immediately, with bodies from the stored document', async () => {
    const { sink, events } = await openSink();
    const submission = aSubmission('{"x":1}');
    await storeSubmission(sink, submission);
    await poll(() => events.length === 2);
    const stored = await sink.submissions.findOne({ _id: submission._id });
    expect(events).toEqual(
      submission.pendingEvents?.map((pending) => ({
        ...pending,
        accountId: submission.accountId,
        formId: FORM,
        submissionId: submission._id,
        body: submissionEventBody(stored!, pending),
      })),
    );
  });

  it('passes the count of chained deliveries to the events but not to their bodies', async () => {
    const { sink, events } = await openSink();
    await storeSubmission(sink, { ...aSubmission('{"x":1}'), hops: 3 });
    await poll(() => events.length === 2);
    expect(events.map(({ hops, body }) => [hops, body?.includes('hops')])).toEqual([
      [3, false],
      [3, false],
    ]);
  });

  it('changes and publishes nothing if the id is stored', async () => {
    const { sink, events } = await openSink();
    const first = aSubmission('{"x":1}');
    await storeSubmission(sink, first);
    await poll(() => events.length === 2);
    await storeSubmission(sink, aSubmission('{"x":2}', {}, first._id));
    await storeSubmission(sink, aSubmission('{"x":3}'));
    await poll(() => events.length >= 4);
    expect(events).toHaveLength(4);
    expect(await sink.submissions.findOne({ _id: first._id })).toMatchObject({ data: '{"x":1}' });
  });

  /** A body of exactly this size, with characters of this many bytes. */
  function dataFor(bytes: number, character: string): string {
    const empty = aSubmission('{"x":""}');
    const around = Buffer.byteLength(submissionEventBody(empty, empty.pendingEvents![0]!));
    const each = Buffer.byteLength(character);
    const count = Math.floor((bytes - around) / each);
    return JSON.stringify({ x: character.repeat(count) + 'x'.repeat(bytes - around - count * each) });
  }

  it.each([
    ['x', 0, true],
    ['x', 1, false],
    ['€', 0, true],
    ['€', 1, false],
  ])(
    'with characters %s and %d bytes over the bus limit has its body on the bus: %s',
    async (character, beyond, fits) => {
      const { sink, events } = await openSink();
      await storeSubmission(sink, aSubmission(dataFor(MAX_BUS_BODY_BYTES + beyond, character)));
      await poll(() => events.length === 2);
      expect(events[0]?.body !== null).toBe(fits);
      if (fits) expect(Buffer.byteLength(events[0]?.body ?? '')).toBe(MAX_BUS_BODY_BYTES);
    },
  );
});

describe('the captured metadata of a request', () => {
  const request = { ip: '203.0.113.7', headers: { 'user-agent': 'curl/8' } };
  it.each([
    [undefined, {}],
    [{}, {}],
    [{ includeIp: true }, { ipAddress: '203.0.113.7' }],
    [{ includeUserAgent: true }, { userAgent: 'curl/8' }],
    [
      { includeIp: true, includeUserAgent: true },
      { ipAddress: '203.0.113.7', userAgent: 'curl/8' },
    ],
  ])('is limited to the settings of the form: %j', (metadata, captured) => {
    const settings = metadata === undefined ? {} : { metadata };
    expect(capturedMetadata({ settings }, request)).toEqual(captured);
  });

  it('has no user agent if the request has none', () => {
    const settings = { metadata: { includeUserAgent: true } };
    expect(capturedMetadata({ settings }, { ip: '::1', headers: {} })).toEqual({});
  });
});
