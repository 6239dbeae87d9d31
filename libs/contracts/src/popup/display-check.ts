import { compilePages } from './page-rules.ts';
import type { Popup } from './popup.ts';
import { savedTriggers, type TriggerPlan } from './trigger-plan.ts';

/**
 * The facts about a page view that the display rules use. Times in milliseconds since the epoch.
 */
export interface PageView {
  /** Such as `location.pathname`. */
  path: string;
  device: 'desktop' | 'mobile';
  now: number;
  /** When the frequency cap last started: the popup was shown, closed or converted. */
  waitFrom?: number | undefined;
  /** Whether the popup was shown in this browser session. */
  isSeenInSession?: boolean | undefined;
  /** The number of impressions by a trigger. */
  shows?: number | undefined;
  declinedAt?: number | undefined;
  /** Whether an element of the page has `data-warm-lead="true"`; absent if the page is unknown. */
  hasWarmLead?: boolean | undefined;
}

/** The result of one display rule. */
export interface RuleCheck {
  rule: 'mode' | 'trigger' | 'device' | 'page' | 'decline' | 'frequency' | 'cap';
  /** Whether the rule allows the popup. */
  ok: boolean;
  /** The reason, as a sentence. */
  text: string;
  /** What the page also needs, as a sentence. */
  warning?: string;
}

const DAY_MS = 86_400_000;

/**
 * Checks all rules that decide whether a popup is armed for a page view, in the embed's order. Each
 * rule can block the popup. `plan`: the triggers of the script tag, if it has any.
 * docs/reference/popups.md#display-check
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
            : 'Popup mode is off: the form stands in the page.',
    },
    checkTrigger(plan ?? savedTriggers(popup), view),
    checkDevice(popup, view),
    checkPage(popup.pages, view.path),
    checkDecline(popup, view),
    checkFrequency(popup, view),
    checkMaxShows(popup, view),
  ];
}

/** docs/reference/triggers.md#engagement */
const WARM_LEAD =
  'intent fires only where your analytics runs with data-warm-lead="true" on its script tag, and data-svc-analytics on ours names the prefix of its events';

function checkTrigger(plan: TriggerPlan, { hasWarmLead }: PageView): RuleCheck {
  const ok = plan.length > 0;
  const waitsForIntent = plan.flat().some(({ trigger }) => trigger === 'intent');
  const found = hasWarmLead === undefined ? 'Check your page' : 'No such tag is on this page';
  return {
    rule: 'trigger',
    ok,
    text: ok
      ? `It waits for ${plan.map((all) => all.map(({ trigger }) => trigger).join(' and ')).join(', or ')}${guardNote(plan)}.`
      : 'There is no complete trigger.',
    ...(waitsForIntent && !hasWarmLead && { warning: `${found}: ${WARM_LEAD}.` }),
  };
}

/** docs/reference/triggers.md#arming-guard */
function guardNote(plan: TriggerPlan): string {
  const held = [...new Set(plan.flat().map(({ trigger }) => trigger))].filter((trigger) =>
    ['exit', 'scroll', 'visible', 'intent'].includes(trigger),
  );
  return held.length > 0
    ? `; what ${held.join(' and ')} would see in the first 15 seconds opens nothing yet`
    : '';
}

function checkDevice({ devices = 'all' }: Popup, { device }: PageView): RuleCheck {
  return {
    rule: 'device',
    ok: devices === 'all' || devices === device,
    text: devices === 'all' ? 'Every device gets it.' : `Only ${devices} gets it; this is ${device}.`,
  };
}

/** docs/reference/popups.md#page-targeting */
export function checkPage(pages: Popup['pages'], path: string): RuleCheck {
  // An unsaved rule may lack the leading slash, which is added when it is saved.
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
        exclude.length > 0 ? 'every page is included but the excluded ones' : 'every page is included',
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
      text: `Declined; that alone holds nothing back: seen again ${instead}.`,
    };
  }
  return { rule: 'decline', ...waited('Declined', declinedAt, days, now) };
}

function checkFrequency({ frequencyDays = 30 }: Popup, view: PageView): RuleCheck {
  if (frequencyDays === 0) {
    return view.isSeenInSession
      ? { rule: 'frequency', ok: false, text: 'Once per session, and it was there in this one.' }
      : { rule: 'frequency', ok: true, text: 'Once per session, and it was not there yet in this one.' };
  }
  return view.waitFrom === undefined
    ? { rule: 'frequency', ok: true, text: 'The visitor has not seen it.' }
    : { rule: 'frequency', ...waited('Seen', view.waitFrom, frequencyDays, view.now) };
}

function checkMaxShows({ maxShows }: Popup, { shows = 0 }: PageView): RuleCheck {
  const times = shows === 1 ? 'once' : `${shows} times`;
  return {
    rule: 'cap',
    ok: maxShows === undefined || shows < maxShows,
    text:
      maxShows === undefined ? 'No limit to how often it is seen.' : `Seen ${times} of ${maxShows} in all.`,
  };
}

function waited(what: string, from: number, days: number, now: number): Pick<RuleCheck, 'ok' | 'text'> {
  const leftDays = Math.ceil((from + days * DAY_MS - now) / DAY_MS);
  const ago = daysText(Math.max(0, Math.floor((now - from) / DAY_MS)));
  const ok = now - from >= days * DAY_MS;
  const end = ok ? 'that is over' : `${daysText(leftDays)} to go`;
  return { ok, text: `${what} ${ago} ago, seen again after ${daysText(days)}: ${end}.` };
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
