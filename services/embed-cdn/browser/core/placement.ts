import { savedTriggers, type PublicForm, type TriggerPlan } from '@svcforms/contracts';

/** What a script tag says about the form that it places. */
export interface Placement {
  tag: Element;
  formId: string | null;
  triggers: string | null;
}

/** The exports of the chunk that is loaded for tags that name triggers. */
export interface TriggersChunk {
  readTriggers: (text: string) => TriggerPlan;
}

export function readPlacement(tag: Element): Placement {
  const read = (name: string) => tag.getAttribute(`data-svc-${name}`) || null;
  return { tag, formId: read('form-id'), triggers: has(tag, 'inline') ? null : read('trigger') };
}

export function has(tag: Element | null, name: string): boolean {
  return !!tag?.hasAttribute(`data-svc-${name}`);
}

/** Returns the saved triggers of a popup, or undefined for an inline form. */
export function savedPlanOf({ tag }: Placement, { popup }: PublicForm): TriggerPlan | undefined {
  return !has(tag, 'inline') && (popup?.enabled || has(tag, 'trigger'))
    ? savedTriggers(popup ?? {})
    : undefined;
}
