import { RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace';

/** Generates the ids of a tracer. */
export interface TraceIds extends IdGenerator {
  /** The id that the next trace of the tracer will have, so that it can be sampled before. */
  nextTraceId(): string;
}

export function createTraceIds(): TraceIds {
  const random = new RandomIdGenerator();
  let next = '';
  return {
    nextTraceId: () => (next = random.generateTraceId()),
    generateTraceId: () => next || random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  };
}
