import { parseTriggers, savedTriggers, type PublicForm, type TriggerPlan } from '@svcforms/contracts';

/** What a script tag says about the form that it places. */
export interface Placement {
  tag: Element | null;
  formId: string | null;
  triggers: string | null;
}

export function readPlacement(tag: Element | null): Placement {
  const read = (name: string) => tag?.getAttribute(`data-svc-${name}`) || null;
  return { tag, formId: read('form-id'), triggers: read('trigger') };
}

export function has(tag: Element | null, name: string): boolean {
  return !!tag?.hasAttribute(`data-svc-${name}`);
}

/**
 * Returns the tag's triggers, or else the saved triggers of a popup. Returns undefined for an
 * inline form.
 */
export function planOf({ tag, triggers }: Placement, { popup }: PublicForm): TriggerPlan | undefined {
  if (has(tag, 'inline')) return undefined;
  if (triggers) {
    const { plan, skipped, clamped } = parseTriggers(triggers);
    if (skipped.length) console.warn('SvcForms: unknown trigger', skipped.join(', '));
    if (clamped) console.warn('SvcForms: clamped to one hour', clamped.join(', '));
    return plan;
  }
  return popup?.enabled || has(tag, 'trigger') ? savedTriggers(popup ?? {}) : undefined;
}
