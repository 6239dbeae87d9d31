import { compilePages } from './page-rules.ts';
import type { Popup } from './popup.ts';
import { savedTriggers, type TriggerPlan } from './trigger-plan.ts';

/** A page view of a visitor, as far as the rules of a popup ask. Times in milliseconds since the epoch. */
export interface PageView {
  /** Such as `location.pathname`. */
  path: string;
  device: 'desktop' | 'mobile';
  now: number;
  /** When the wait between two showings last began: shown, closed or converted. */
  waitFrom?: number | undefined;
  /** Whether the popup was there in this session of the browser. */
  isSeenInSession?: boolean | undefined;
  /** Openings that a trigger caused. */
  shows?: number | undefined;
  declinedAt?: number | undefined;
  /** Whether an element of the page says `data-warm-lead="true"`; absent where the page isn't known. */
  hasWarmLead?: boolean | undefined;
}

/** One rule of a popup, judged. */
export interface JudgedRule {
  rule: 'mode' | 'trigger' | 'device' | 'page' | 'decline' | 'frequency' | 'cap';
  /** Whether it lets the popup be armed. */
  lets: boolean;
  /** Why, as a sentence. */
  text: string;
  /** What the page has to have besides, as a sentence. */
  warning?: string;
}

const DAY_MS = 86_400_000;

/**
 * Every rule that decides whether a popup is armed for a page view, in the order in which the embed asks them. The popup
 * shows nothing when one of them doesn't let it. `plan`: the triggers where the script tag names some.
 * spec: popup-forms, settings.popup
 */
export function judgePopup(popup: Popup, view: PageView, plan?: TriggerPlan): JudgedRule[] {
  return [
    {
      rule: 'mode',
      lets: popup.enabled === true || plan !== undefined,
      text:
        popup.enabled === true
          ? 'Popup mode is on.'
          : plan
            ? 'Popup mode is off, but the script tag names a trigger.'
            : 'Popup mode is off: the form is displayed inline.',
    },
    judgeTrigger(plan ?? savedTriggers(popup), view),
    judgeDevice(popup, view),
    judgePage(popup.pages, view.path),
    judgeDecline(popup, view),
    judgeFrequency(popup, view),
    judgeCap(popup, view),
  ];
}

/** spec: popup-forms, Other trigger behaviour 3 */
const WARM_LEAD =
  'intent fires only if your analytics runs with data-warm-lead="true" on its script tag, and data-svc-analytics on our tag names the prefix of its events';

function judgeTrigger(plan: TriggerPlan, { hasWarmLead }: PageView): JudgedRule {
  const lets = plan.length > 0;
  const waitsForIntent = plan.flat().some(({ trigger }) => trigger === 'intent');
  const found = hasWarmLead === undefined ? 'Check your page' : 'No such tag is on this page';
  return {
    rule: 'trigger',
    lets,
    text: lets
      ? `Waits for ${plan.map((all) => all.map(({ trigger }) => trigger).join(' and ')).join(', or ')}${guardNote(plan)}.`
      : 'No trigger is complete.',
    ...(waitsForIntent && !hasWarmLead && { warning: `${found}: ${WARM_LEAD}.` }),
  };
}

/** spec: popup-forms, Arming guard 1 */
function guardNote(plan: TriggerPlan): string {
  const held = [...new Set(plan.flat().map(({ trigger }) => trigger))].filter((trigger) =>
    ['exit', 'scroll', 'visible', 'intent'].includes(trigger),
  );
  return held.length > 0
    ? `; in the first 15 seconds ${held.join(' and ')} never open${held.length === 1 ? 's' : ''} it`
    : '';
}

function judgeDevice({ devices = 'all' }: Popup, { device }: PageView): JudgedRule {
  return {
    rule: 'device',
    lets: devices === 'all' || devices === device,
    text: devices === 'all' ? 'Shown on every device.' : `Shown only on ${devices}; this is ${device}.`,
  };
}

/** spec: popup-forms, Path rules 1 and 2 */
export function judgePage(pages: Popup['pages'], path: string): JudgedRule {
  // What is not saved yet may lack the slash that saving adds.
  const fits = (rule: string) => compilePages({ include: [rule.replace(/^(?!\/)/, '/')] }, () => path)();
  const { include = [], exclude = [] } = pages ?? {};
  const excluding = exclude.find(fits);
  const including = include.find(fits);
  const judged = (lets: boolean, why: string): JudgedRule => ({
    rule: 'page',
    lets,
    text: `On ${path}: ${why}.`,
  });
  if (excluding !== undefined) return judged(false, `excluded by ${excluding}`);
  if (including !== undefined) return judged(true, `included by ${including}`);
  return include.length > 0
    ? judged(false, 'not among the included pages')
    : judged(
        true,
        exclude.length > 0 ? 'every page is included except the excluded ones' : 'every page is included',
      );
}

function judgeDecline({ decline, frequencyDays = 30 }: Popup, { declinedAt, now }: PageView): JudgedRule {
  const days = decline?.suppressDays ?? 90;
  if (declinedAt === undefined)
    return { rule: 'decline', lets: true, text: 'The visitor has not declined it.' };
  if (days === 0) {
    const instead = frequencyDays === 0 ? 'once per session' : `after ${daysText(frequencyDays)}`;
    return {
      rule: 'decline',
      lets: true,
      text: `Declined, but a decline does not suppress it: shown again ${instead}.`,
    };
  }
  return { rule: 'decline', ...waited('Declined', declinedAt, days, now) };
}

function judgeFrequency({ frequencyDays = 30 }: Popup, view: PageView): JudgedRule {
  if (frequencyDays === 0) {
    return view.isSeenInSession
      ? { rule: 'frequency', lets: false, text: 'Shown once per session, and already shown in this one.' }
      : { rule: 'frequency', lets: true, text: 'Shown once per session, and not shown in this one yet.' };
  }
  return view.waitFrom === undefined
    ? { rule: 'frequency', lets: true, text: 'The visitor has not seen it.' }
    : { rule: 'frequency', ...waited('Shown', view.waitFrom, frequencyDays, view.now) };
}

function judgeCap({ maxShows }: Popup, { shows = 0 }: PageView): JudgedRule {
  const times = shows === 1 ? 'once' : `${shows} times`;
  return {
    rule: 'cap',
    lets: maxShows === undefined || shows < maxShows,
    text:
      maxShows === undefined ? 'No maximum of impressions.' : `Shown ${times}; the maximum is ${maxShows}.`,
  };
}

function waited(what: string, from: number, days: number, now: number): Pick<JudgedRule, 'lets' | 'text'> {
  const leftDays = Math.ceil((from + days * DAY_MS - now) / DAY_MS);
  const ago = daysText(Math.max(0, Math.floor((now - from) / DAY_MS)));
  const lets = now - from >= days * DAY_MS;
  const end = lets ? 'that time is over' : `${daysText(leftDays)} left`;
  return { lets, text: `${what} ${ago} ago, shown again after ${daysText(days)}: ${end}.` };
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
