import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Settings } from '@svcforms/runtime';

/**
 * Decides whether a span is recorded, by the id of its trace and by whether its parent is recorded
 * (`undefined` without a parent).
 */
export type IsSampled = (traceId: string, isParentSampled: boolean | undefined) => boolean;

/** The decision of these settings. `parentbased_…` follows the parent, if there is one. */
export function samplingOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: Pick<Settings, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>): IsSampled {
  const isRootSampled = rootSamplingOf(name, ratio);
  if (!name.startsWith('parentbased_')) return isRootSampled;
  return (traceId, isParentSampled) => isParentSampled ?? isRootSampled(traceId);
}

function rootSamplingOf(name: Settings['OTEL_TRACES_SAMPLER'], ratio: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true;
  if (name.endsWith('always_off')) return () => false;
  // Other programs that take part in a trace decide by the same bits of its id.
  const sampler = new TraceIdRatioBasedSampler(ratio);
  return (traceId) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
