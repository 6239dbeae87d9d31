import { parseTriggers, type TriggerPlan } from '@svcforms/contracts';

/** Parses the triggers of a script tag and warns about those that it can't use as they are. */
export function readTriggers(text: string): TriggerPlan {
  const { plan, skipped, clamped } = parseTriggers(text);
  if (skipped.length) console.warn('SvcForms: unknown trigger', skipped.join(', '));
  if (clamped) console.warn('SvcForms: clamped to one hour', clamped.join(', '));
  return plan;
}
