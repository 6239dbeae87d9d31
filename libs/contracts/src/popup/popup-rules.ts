import type { Issue } from '../errors/errors.ts';
import type { Popup, PopupIn } from './popup.ts';

/**
 * Triggers that work alone or as a condition of `all`. See docs/reference/triggers.md#combination.
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

/**
 * Properties of the popup settings that only some triggers use. See
 * docs/reference/popups.md#saved-trigger-parameters.
 */
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
 * Merges the popup settings of a request with the saved ones. A trigger parameter that `incoming`
 * omits keeps its saved value, so that switching to another trigger and back restores it; `null`
 * removes it. All other settings come from `incoming`. Without `incoming`, nothing is kept. See
 * docs/reference/popups.md#saved-trigger-parameters.
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
 * Finds what an enabled popup lacks. The pointers of the issues refer to the body of the form. A
 * disabled popup may be incomplete. See docs/reference/popups.md#popup-settings.
 */
export function checkPopup(popup: Popup): Issue[] {
  if (popup.enabled !== true) return [];
  const { trigger } = popup;
  if (trigger === undefined) {
    return [missing('trigger', `is required while the popup is enabled: one of: ${TRIGGERS.join(', ')}`)];
  }
  if ((trigger === 'click' || trigger === 'visible') && !popup.selector?.trim()) {
    return [missing('selector', `is required by the trigger ${trigger}: a CSS selector`)];
  }
  if (trigger === 'all' && popup.and === undefined) {
    return [missing('and', 'is required by the trigger all: a list of two conditions')];
  }
  return [];
}

function missing(member: string, message: string): Issue {
  return { pointer: `/settings/popup/${member}`, message };
}
