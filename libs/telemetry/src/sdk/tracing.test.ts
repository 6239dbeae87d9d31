import { emptyResource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Settings } from '@svcforms/runtime';
import { samplingOf } from './sampling.ts';
import { createTracing } from './tracing.ts';

const [TRACE_ID, SPAN_ID] = ['a'.repeat(32), 'b'.repeat(16)];
const contextWith = (flags: string) => ({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-${flags}` });

function tracingWith(sampler: Settings['OTEL_TRACES_SAMPLER'], ratio = 1) {
  const ended: ReadableSpan[] = [];
  const tracing = createTracing({
    isSampled: samplingOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }),
    origin: {
      resource: emptyResource(),
      instrumentationScope: { name: 'test' },
      busSystem: 'test',
      onEnd: (span) => ended.push(span),
    },
    sendsHeaders: true,
  });
  return { tracing, ended };
}

describe('the decision to record a trace', () => {
  it.each([
    ['always_on', '00', true],
    ['always_off', '01', false],
    ['traceidratio', '00', true],
    ['parentbased_always_on', '00', false],
    ['parentbased_always_off', '01', true],
    ['parentbased_traceidratio', '00', false],
  ] as const)('is by %s for the request of a client with the flags %s: %s', (sampler, flags, isRecording) => {
    const { tracing } = tracingWith(sampler);
    const parent = tracing.extract(contextWith(flags));
    const span = tracing.startSpan('GET', { kind: 'server', parent });
    expect(span.isRecording).toBe(isRecording);
    expect(span.context.traceparent).toMatch(
      new RegExp(`^00-${TRACE_ID}-(?!${SPAN_ID})[0-9a-f]{16}-0${Number(isRecording)}$`),
    );
  });

  it('records about the share of new traces that the ratio says', () => {
    const { tracing } = tracingWith('traceidratio', 0.1);
    const spans = Array.from({ length: 5_000 }, () => tracing.startSpan('GET', { kind: 'server' }));
    const recorded = spans.filter(({ isRecording }) => isRecording).length;
    expect(recorded).toBeGreaterThan(350);
    expect(recorded).toBeLessThan(650);
  });

  it('holds for all that follows in the product, with the same context', () => {
    const { tracing } = tracingWith('traceidratio', 0);
    const request = tracing.startSpan('GET', { kind: 'server' });
    for (const kind of ['producer', 'consumer', 'client'] as const) {
      const span = tracing.startSpan('later', { kind, parent: request.context });
      expect(span.isRecording).toBe(false);
      expect(span.context).toBe(request.context);
    }
  });

  it('begins a trace for a stored context that is malformed', () => {
    const { tracing, ended } = tracingWith('always_on');
    tracing.startSpan('later', { kind: 'client', parent: { traceparent: '00-zz-01' } }).end();
    expect(ended[0]?.parentSpanContext).toBeUndefined();
    expect(ended[0]?.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('a recorded span', () => {
  it('has the parent, the state and the duration of the work, and no attribute without a value', () => {
    const { tracing, ended } = tracingWith('always_on');
    const parent = tracing.extract({ ...contextWith('01'), tracestate: 'vendor=1, bad' });
    const span = tracing.startSpan('publish', { kind: 'producer', parent });
    expect(ended).toEqual([]);
    span.end({ attributes: { given: 1, absent: undefined }, error: 'timeout' });
    const [exported] = ended;
    expect(exported?.spanContext()).toMatchObject({ traceId: TRACE_ID, traceFlags: 1 });
    expect(exported?.spanContext().traceState?.serialize()).toBe('vendor=1');
    expect(exported?.parentSpanContext).toMatchObject({ spanId: SPAN_ID, isRemote: true });
    expect(exported?.attributes).toEqual({
      'messaging.system': 'test',
      given: 1,
      'error.type': 'timeout',
    });
    const [seconds, nanoseconds] = exported?.duration ?? [];
    expect(seconds).toBe(0);
    expect(nanoseconds).toBeGreaterThan(0);
  });
});
