import { savedTriggers, type PublicForm, type TriggerPlan } from '@svcforms/contracts';

/** What a script tag says about the form that it places. */
export interface Placement {
  formId: string | null;
  triggers: string | null;
}

/** The exports of the chunk that is loaded for tags that name triggers. */
export interface TriggersChunk {
  readTriggers: (text: string) => TriggerPlan;
}

export function readPlacement(tag: Element): Placement {
  return {
    formId: readAttribute(tag, 'form-id') || null,
    triggers: (!has(tag, 'inline') && readAttribute(tag, 'trigger')) || null,
  };
}

/** The value of `data-svc-…`; undefined without a tag. */
export const readAttribute = (tag: Element | null | undefined, name: string): string | null | undefined =>
  tag?.getAttribute(`data-svc-${name}`);

export const has = (tag: Element | null | undefined, name: string): boolean =>
  readAttribute(tag, name) != null;

/** The tag, unless it is that of another form. Of such a tag, a form takes only the language. */
export const ownTag = <Tag extends Element | null | undefined>(tag: Tag, formId: string): Tag | undefined =>
  (readAttribute(tag, 'form-id') || formId) === formId ? tag : undefined;

/** Returns the saved triggers of a popup, or undefined for an inline form. */
export function savedPlanOf(tag: Element, { popup }: PublicForm): TriggerPlan | undefined {
  return !has(tag, 'inline') && (popup?.enabled || has(tag, 'trigger'))
    ? savedTriggers(popup ?? {})
    : undefined;
}
