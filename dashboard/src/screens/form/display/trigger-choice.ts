import { SIMPLE_TRIGGERS, type Popup, type SimpleTrigger, type Trigger } from '@svcforms/contracts';

export type Half = NonNullable<Popup['and']>[number];

/** The popup on another trigger. What the others read stays, so that switching back finds it. spec: popup-forms, settings.popup */
export function withTrigger(popup: Popup, trigger: Trigger): Popup {
  const and = trigger === 'all' && !popup.and ? [half(popup, 'exit'), half(popup, 'delay')] : popup.and;
  return { ...popup, trigger, ...(and && { and }) };
}

/** A half of the pair on that trigger, with what the form has saved for it. */
export function half(popup: Popup, trigger: SimpleTrigger): Half {
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

/** The pair with one half changed; a parameter that is `undefined` is taken away. */
export function withHalf(popup: Popup, index: number, changed: object): Popup {
  const and = (popup.and ?? []).map((one, n) =>
    n === index ? (defined({ ...one, ...changed }) as Half) : one,
  );
  return { ...popup, and };
}

/** Without what is `undefined`. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

/** Whether the trigger, or a half of it, is that one. */
export function waitsFor({ trigger, and = [] }: Popup, wanted: SimpleTrigger): boolean {
  return trigger === 'all' ? and.some((one) => one.trigger === wanted) : trigger === wanted;
}

export function isSimpleTrigger(text: string | null): text is SimpleTrigger {
  return SIMPLE_TRIGGERS.some((trigger) => trigger === text);
}
