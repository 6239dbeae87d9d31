import { compilePages } from './page-rules.ts';
import type { Popup } from './popup.ts';
import { savedTriggers, type TriggerPlan } from './trigger-plan.ts';

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

/** The result of one popup rule. */
interface RuleCheck {
  rule: 'mode' | 'trigger' | 'device' | 'page' | 'decline' | 'frequency' | 'cap';
  /** Whether the rule passes. A rule that doesn't pass blocks the popup. */
  ok: boolean;
  /** The reason, as a sentence. */
  text: string;
  /** An additional requirement on the page, as a sentence. */
  warning?: string;
}

const DAY_MS = 86_400_000;

/**
 * Applies every rule that decides whether a popup is armed for a page view, in the order of the
 * embed. Any failing rule blocks the popup. See docs/reference/popups.md#display-check.
 * @param plan the triggers of the script tag, if it names any; they replace the saved ones
 */
export function checkDisplay(popup: Popup, view: PageView, plan?: TriggerPlan): RuleCheck[] {
  return [
    {
      rule: 'mode',
      ok: popup.enabled === true || plan !== undefined,
      text:
        popup.enabled === true
          ? 'Popup mode is on.'
          : plan
            ? 'Popup mode is off, but the script tag names a trigger.'
            : 'Popup mode is off: the form is displayed inline.',
    },
    checkTrigger(plan ?? savedTriggers(popup), view),
    checkDevice(popup, view),
    checkPage(popup.pages, view.path),
    checkDecline(popup, view),
    checkFrequency(popup, view),
    checkMaxShows(popup, view),
  ];
}

/** See docs/reference/triggers.md#engagement. */
const WARM_LEAD =
  'intent fires only if your analytics runs with data-warm-lead="true" on its script tag, and data-svc-analytics on our tag names the prefix of its events';

function checkTrigger(plan: TriggerPlan, { hasWarmLead }: PageView): RuleCheck {
  const ok = plan.length > 0;
  const waitsForIntent = plan.flat().some(({ trigger }) => trigger === 'intent');
  const found = hasWarmLead === undefined ? 'Check your page' : 'No such tag is on this page';
  return {
    rule: 'trigger',
    ok,
    text: ok
      ? `Waits for ${plan.map((all) => all.map(({ trigger }) => trigger).join(' and ')).join(', or ')}${guardNote(plan)}.`
      : 'No trigger is complete.',
    ...(waitsForIntent && !hasWarmLead && { warning: `${found}: ${WARM_LEAD}.` }),
  };
}

/**
 * Names the triggers that the arming guard blocks. See docs/reference/triggers.md#arming-guard.
 */
function guardNote(plan: TriggerPlan): string {
  const guarded = [...new Set(plan.flat().map(({ trigger }) => trigger))].filter((trigger) =>
    ['exit', 'scroll', 'visible', 'intent'].includes(trigger),
  );
  return guarded.length > 0
    ? `; in the first 15 seconds ${guarded.join(' and ')} never open${guarded.length === 1 ? 's' : ''} it`
    : '';
}

function checkDevice({ devices = 'all' }: Popup, { device }: PageView): RuleCheck {
  return {
    rule: 'device',
    ok: devices === 'all' || devices === device,
    text: devices === 'all' ? 'Shown on every device.' : `Shown only on ${devices}; this is ${device}.`,
  };
}

/**
 * Applies page targeting and names the rule that decides. See
 * docs/reference/popups.md#page-targeting.
 */
export function checkPage(pages: Popup['pages'], path: string): RuleCheck {
  // Saving adds a leading slash, so an unsaved path may not have one yet.
  const fits = (rule: string) => compilePages({ include: [rule.replace(/^(?!\/)/, '/')] }, () => path)();
  const { include = [], exclude = [] } = pages ?? {};
  const excluding = exclude.find(fits);
  const including = include.find(fits);
  const result = (ok: boolean, why: string): RuleCheck => ({
    rule: 'page',
    ok,
    text: `On ${path}: ${why}.`,
  });
  if (excluding !== undefined) return result(false, `excluded by ${excluding}`);
  if (including !== undefined) return result(true, `included by ${including}`);
  return include.length > 0
    ? result(false, 'not among the included pages')
    : result(
        true,
        exclude.length > 0 ? 'every page is included except the excluded ones' : 'every page is included',
      );
}

function checkDecline({ decline, frequencyDays = 30 }: Popup, { declinedAt, now }: PageView): RuleCheck {
  const days = decline?.suppressDays ?? 90;
  if (declinedAt === undefined)
    return { rule: 'decline', ok: true, text: 'The visitor has not declined it.' };
  if (days === 0) {
    const instead = frequencyDays === 0 ? 'once per session' : `after ${daysText(frequencyDays)}`;
    return {
      rule: 'decline',
      ok: true,
      text: `Declined, but a decline does not suppress it: shown again ${instead}.`,
    };
  }
  return { rule: 'decline', ...checkWait('Declined', declinedAt, days, now) };
}

function checkFrequency({ frequencyDays = 30 }: Popup, view: PageView): RuleCheck {
  if (frequencyDays === 0) {
    return view.isSeenInSession
      ? { rule: 'frequency', ok: false, text: 'Shown once per session, and already shown in this one.' }
      : { rule: 'frequency', ok: true, text: 'Shown once per session, and not shown in this one yet.' };
  }
  return view.waitFrom === undefined
    ? { rule: 'frequency', ok: true, text: 'The visitor has not seen it.' }
    : { rule: 'frequency', ...checkWait('Shown', view.waitFrom, frequencyDays, view.now) };
}

function checkMaxShows({ maxShows }: Popup, { shows = 0 }: PageView): RuleCheck {
  const times = shows === 1 ? 'once' : `${shows} times`;
  return {
    rule: 'cap',
    ok: maxShows === undefined || shows < maxShows,
    text:
      maxShows === undefined ? 'No maximum of impressions.' : `Shown ${times}; the maximum is ${maxShows}.`,
  };
}

function checkWait(what: string, from: number, days: number, now: number): Pick<RuleCheck, 'ok' | 'text'> {
  const leftDays = Math.ceil((from + days * DAY_MS - now) / DAY_MS);
  const ago = daysText(Math.max(0, Math.floor((now - from) / DAY_MS)));
  const ok = now - from >= days * DAY_MS;
  const end = ok ? 'that time is over' : `${daysText(leftDays)} left`;
  return { ok, text: `${what} ${ago} ago, shown again after ${daysText(days)}: ${end}.` };
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
