import type { Issue } from '../errors/errors.ts';
import type { Popup, PopupIn } from './popup.ts';

/**
 * Triggers that can be used alone or as one half of `all`. docs/reference/triggers.md#combination
 */
export const SIMPLE_TRIGGERS = [
  'exit',
  'delay',
  'inactivity',
  'scroll',
  'click',
  'visible',
  'intent',
] as const;
export type SimpleTrigger = (typeof SIMPLE_TRIGGERS)[number];

export const TRIGGERS = [...SIMPLE_TRIGGERS, 'all'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Parameters that only some triggers use. docs/reference/popups.md#saved-trigger-parameters */
export const TRIGGER_PARAMETERS = [
  'delayMs',
  'scrollPercent',
  'intentLevel',
  'selector',
  'and',
  'exitSensitivityPx',
  'mouseLeaveDelayMs',
] as const satisfies (keyof Popup)[];

/**
 * Returns the popup settings to save. A trigger parameter that `incoming` doesn't mention keeps its
 * saved value, so that it returns when the user switches triggers back and forth; `null` removes
 * it. Without `incoming`, no popup settings are saved, including parameters.
 * docs/reference/popups.md#saved-trigger-parameters
 */
export function mergeTriggerParameters(
  saved: Popup | undefined,
  incoming: PopupIn | undefined,
): Popup | undefined {
  if (incoming === undefined) return undefined;
  const kept = TRIGGER_PARAMETERS.filter((key) => incoming[key] === undefined).map((key) => [
    key,
    saved?.[key],
  ]);
  const merged = [...Object.entries(incoming), ...kept];
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined && value !== null)) as Popup;
}

/**
 * Returns what an enabled popup lacks, with pointers into the body of the form. The settings of a
 * disabled popup may be incomplete. docs/reference/popups.md#popup-settings
 */
export function checkPopup(popup: Popup): Issue[] {
  if (popup.enabled !== true) return [];
  const { trigger } = popup;
  if (trigger === undefined) {
    return [lacking('trigger', `is required while the popup is enabled: one of: ${TRIGGERS.join(', ')}`)];
  }
  if ((trigger === 'click' || trigger === 'visible') && !popup.selector?.trim()) {
    return [lacking('selector', `is required by the trigger ${trigger}: a CSS selector`)];
  }
  if (trigger === 'all' && popup.and === undefined) {
    return [lacking('and', 'is required by the trigger all: a list of two conditions')];
  }
  return [];
}

function lacking(member: string, message: string): Issue {
  return { pointer: `/settings/popup/${member}`, message };
}
