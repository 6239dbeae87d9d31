import type { RuleCheck, Wait } from '@svcforms/contracts';

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`);
const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** See docs/reference/triggers.md#engagement. */
const ANALYTICS_TAG =
  'intent fires only if your analytics runs with data-warm-lead="true" on its script tag, and data-svc-analytics on our tag names the prefix of its events.';

/** The reason for the result of a popup rule, as a sentence. */
export function ruleText(check: RuleCheck): string {
  switch (check.rule) {
    case 'mode':
      return {
        enabled: 'Popup mode is on.',
        'script-tag': 'Popup mode is off, but the script tag names a trigger.',
        inline: 'Popup mode is off: the form is displayed inline.',
      }[check.reason];
    case 'trigger':
      return triggerText(check);
    case 'device':
      return check.devices === 'all'
        ? 'Shown on every device.'
        : `Shown only on ${check.devices}; this is ${check.device}.`;
    case 'page':
      return `On ${check.path}: ${pageReason(check)}.`;
    case 'decline':
      return declineText(check);
    case 'frequency':
      return frequencyText(check);
    case 'cap':
      return check.maxShows === undefined
        ? 'No maximum number of impressions.'
        : `Shown ${timesText(check.shows)}; the maximum is ${check.maxShows}.`;
  }
}

/** An additional requirement of a rule on the page, as a sentence. */
export function ruleWarning(check: RuleCheck): string | undefined {
  if (check.rule !== 'trigger' || !check.analyticsTag) return undefined;
  const found = check.analyticsTag === 'unknown' ? 'Check your page' : 'The page has no analytics tag';
  return `${found}: ${ANALYTICS_TAG}`;
}

function triggerText({ ok, plan, guarded }: RuleCheck & { rule: 'trigger' }): string {
  if (!ok) return 'No trigger is complete.';
  const waits = plan.map((all) => all.map(({ trigger }) => trigger).join(' and ')).join(', or ');
  const guard = guarded.length > 0 ? ` Ignores ${guarded.join(' and ')} during the first 15 seconds.` : '';
  return `Waits for ${waits}.${guard}`;
}

function pageReason(check: RuleCheck & { rule: 'page' }): string {
  switch (check.reason) {
    case 'excluded':
    case 'included':
      return `${check.reason} by ${check.pattern}`;
    case 'not-included':
      return 'not among the included pages';
    case 'not-excluded':
      return 'every page is included except the excluded ones';
    case 'every-page':
      return 'every page is included';
  }
}

function declineText(check: RuleCheck & { rule: 'decline' }): string {
  if (check.reason === 'not-declined') return 'The visitor has not declined it.';
  if (check.reason === 'declined') return waitText('Declined', check);
  const again = check.frequencyDays === 0 ? 'once per session' : `after ${daysText(check.frequencyDays)}`;
  return `Declined, but a decline does not suppress it: shown again ${again}.`;
}

function frequencyText(check: RuleCheck & { rule: 'frequency' }): string {
  if (check.reason === 'shown') return waitText('Shown', check);
  return {
    session: 'Shown once per session, and not shown in this one yet.',
    'shown-in-session': 'Shown once per session, and already shown in this one.',
    'not-shown': 'The visitor has not seen it.',
  }[check.reason];
}

function waitText(what: string, { ok, wait }: { ok: boolean; wait: Wait }): string {
  const end = ok ? 'that time is over' : `${daysText(wait.leftDays)} left`;
  return `${what} ${daysText(wait.agoDays)} ago, shown again after ${daysText(wait.days)}: ${end}.`;
}
