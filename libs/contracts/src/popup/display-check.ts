import { compilePages } from './page-rules.ts';
import type { Popup } from './popup.ts';
import { savedTriggers, type Condition, type TriggerPlan } from './trigger-plan.ts';

/**
 * What the popup rules need to know about a page view. Times are in milliseconds since the epoch.
 */
export interface PageView {
  /** Path such as `location.pathname`. */
  path: string;
  device: 'desktop' | 'mobile';
  now: number;
  /** Start of the frequency cap: when the popup was last shown, closed or converted. */
  waitFrom?: number | undefined;
  /** Whether the popup was shown in this browser session. */
  isSeenInSession?: boolean | undefined;
  /** Number of impressions caused by a trigger. */
  shows?: number | undefined;
  declinedAt?: number | undefined;
  /** Whether an element of the page has `data-warm-lead="true"`. Absent if the page is unknown. */
  hasWarmLead?: boolean | undefined;
}

/** The time from an event that hides the popup until it may show again, in whole days. */
export interface Wait {
  /** Since the event, rounded down. */
  agoDays: number;
  /** The length of the wait. */
  days: number;
  /** Rounded up; zero or negative when the wait is over. */
  leftDays: number;
}

/** The facts behind the result of one popup rule. The caller words them. */
type RuleReason =
  | { rule: 'mode'; reason: 'enabled' | 'script-tag' | 'inline' }
  | {
      rule: 'trigger';
      plan: TriggerPlan;
      /** Triggers that never open the popup in the first 15 seconds. */
      guarded: Condition['trigger'][];
      /** Present if `intent` needs a tag of an analytics product that isn't known to be there. */
      analyticsTag?: 'unknown' | 'missing';
    }
  | { rule: 'device'; devices: 'all' | PageView['device']; device: PageView['device'] }
  | { rule: 'page'; path: string; reason: 'excluded' | 'included'; pattern: string }
  | { rule: 'page'; path: string; reason: 'not-included' | 'not-excluded' | 'every-page' }
  | { rule: 'decline'; reason: 'not-declined' }
  | { rule: 'decline'; reason: 'never-suppressed'; frequencyDays: number }
  | { rule: 'decline'; reason: 'declined'; wait: Wait }
  | { rule: 'frequency'; reason: 'not-shown' | 'session' | 'shown-in-session' }
  | { rule: 'frequency'; reason: 'shown'; wait: Wait }
  | { rule: 'cap'; shows: number; maxShows: number | undefined };

/** The result of one popup rule. A rule that isn't `ok` blocks the popup. */
export type RuleCheck = RuleReason & { ok: boolean };

const DAY_MS = 86_400_000;
const GUARDED: readonly string[] = ['exit', 'scroll', 'visible', 'intent'];

/**
 * Applies every rule that decides whether a popup is armed for a page view, in the order of the
 * embed. Any failing rule blocks the popup. See docs/reference/popups.md#display-check.
 * @param plan the triggers of the script tag, if it names any; they replace the saved ones
 */
export function checkDisplay(popup: Popup, view: PageView, plan?: TriggerPlan): RuleCheck[] {
  return [
    checkMode(popup, plan),
    checkTrigger(plan ?? savedTriggers(popup), view),
    checkDevice(popup, view),
    checkPage(popup.pages, view.path),
    checkDecline(popup, view),
    checkFrequency(popup, view),
    checkMaxShows(popup, view),
  ];
}

function checkMode({ enabled }: Popup, plan: TriggerPlan | undefined): RuleCheck {
  if (enabled === true) return { rule: 'mode', ok: true, reason: 'enabled' };
  return plan
    ? { rule: 'mode', ok: true, reason: 'script-tag' }
    : { rule: 'mode', ok: false, reason: 'inline' };
}

function checkTrigger(plan: TriggerPlan, { hasWarmLead }: PageView): RuleCheck {
  const triggers = [...new Set(plan.flat().map(({ trigger }) => trigger))];
  return {
    rule: 'trigger',
    ok: plan.length > 0,
    plan,
    // See docs/reference/triggers.md#arming-guard.
    guarded: triggers.filter((trigger) => GUARDED.includes(trigger)),
    // See docs/reference/triggers.md#engagement.
    ...(triggers.includes('intent') &&
      !hasWarmLead && { analyticsTag: hasWarmLead === undefined ? 'unknown' : 'missing' }),
  };
}

function checkDevice({ devices = 'all' }: Popup, { device }: PageView): RuleCheck {
  return { rule: 'device', ok: devices === 'all' || devices === device, devices, device };
}

/**
 * Applies page targeting and names the rule that decides. See
 * docs/reference/popups.md#page-targeting.
 */
export function checkPage(pages: Popup['pages'], path: string): RuleCheck & { rule: 'page' } {
  // Saving adds a leading slash, so an unsaved path may not have one yet.
  const fits = (rule: string) => compilePages({ include: [rule.replace(/^(?!\/)/, '/')] }, () => path)();
  const { include = [], exclude = [] } = pages ?? {};
  const excluding = exclude.find(fits);
  const including = include.find(fits);
  const page = { rule: 'page', path } as const;
  if (excluding !== undefined) return { ...page, ok: false, reason: 'excluded', pattern: excluding };
  if (including !== undefined) return { ...page, ok: true, reason: 'included', pattern: including };
  if (include.length > 0) return { ...page, ok: false, reason: 'not-included' };
  return { ...page, ok: true, reason: exclude.length > 0 ? 'not-excluded' : 'every-page' };
}

function checkDecline({ decline, frequencyDays = 30 }: Popup, { declinedAt, now }: PageView): RuleCheck {
  const days = decline?.suppressDays ?? 90;
  if (declinedAt === undefined) return { rule: 'decline', ok: true, reason: 'not-declined' };
  if (days === 0) return { rule: 'decline', ok: true, reason: 'never-suppressed', frequencyDays };
  return { rule: 'decline', reason: 'declined', ...checkWait(declinedAt, days, now) };
}

function checkFrequency({ frequencyDays = 30 }: Popup, view: PageView): RuleCheck {
  if (frequencyDays === 0) {
    return view.isSeenInSession
      ? { rule: 'frequency', ok: false, reason: 'shown-in-session' }
      : { rule: 'frequency', ok: true, reason: 'session' };
  }
  return view.waitFrom === undefined
    ? { rule: 'frequency', ok: true, reason: 'not-shown' }
    : { rule: 'frequency', reason: 'shown', ...checkWait(view.waitFrom, frequencyDays, view.now) };
}

function checkMaxShows({ maxShows }: Popup, { shows = 0 }: PageView): RuleCheck {
  return { rule: 'cap', ok: maxShows === undefined || shows < maxShows, shows, maxShows };
}

function checkWait(from: number, days: number, now: number): { ok: boolean; wait: Wait } {
  return {
    ok: now - from >= days * DAY_MS,
    wait: {
      agoDays: Math.max(0, Math.floor((now - from) / DAY_MS)),
      days,
      leftDays: Math.ceil((from + days * DAY_MS - now) / DAY_MS),
    },
  };
}
