import { SIMPLE_TRIGGERS, type Popup, type SimpleTrigger, type Trigger } from '@svcforms/contracts';

export type Condition = NonNullable<Popup['and']>[number];

/**
 * Changes the trigger. Keeps the parameters of other triggers for switching back.
 * docs/reference/popups.md#saved-trigger-parameters
 */
export function withTrigger(popup: Popup, trigger: Trigger): Popup {
  const and =
    trigger === 'all' && !popup.and ? [conditionOf(popup, 'exit'), conditionOf(popup, 'delay')] : popup.and;
  return { ...popup, trigger, ...(and && { and }) };
}

/** A condition of a combination, with the saved parameters of the popup. */
export function conditionOf(popup: Popup, trigger: SimpleTrigger): Condition {
  const { delayMs = 30_000, scrollPercent = 50, intentLevel, selector = '' } = popup;
  switch (trigger) {
    case 'exit':
      return { trigger };
    case 'delay':
    case 'inactivity':
      return { trigger, delayMs };
    case 'scroll':
      return { trigger, scrollPercent };
    case 'click':
    case 'visible':
      return { trigger, selector };
    case 'intent':
      return { trigger, ...(intentLevel && { intentLevel }) };
  }
}

/** Changes one condition of a combination. A parameter that is `undefined` is removed. */
export function withCondition(popup: Popup, index: number, changed: object): Popup {
  const and = (popup.and ?? []).map((one, n) =>
    n === index ? (defined({ ...one, ...changed }) as Condition) : one,
  );
  return { ...popup, and };
}

/** Removes properties that are `undefined`. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

/** Whether the popup's trigger, or a condition of its combination, is this one. */
export function usesTrigger({ trigger, and = [] }: Popup, simple: SimpleTrigger): boolean {
  return trigger === 'all' ? and.some((one) => one.trigger === simple) : trigger === simple;
}

export function isSimpleTrigger(text: string | null): text is SimpleTrigger {
  return SIMPLE_TRIGGERS.some((trigger) => trigger === text);
}
