import type { RuleCheck, Wait } from '@svcforms/contracts';

/** The reason for the result of a popup rule, in a few words for the console. */
export function ruleText(check: RuleCheck): string {
  switch (check.rule) {
    case 'mode':
      return {
        enabled: 'popup',
        'script-tag': 'inline, but the script tag names a trigger',
        inline: 'inline',
      }[check.reason];
    case 'trigger': {
      const plan = check.plan.map((all) => all.map(({ trigger }) => trigger).join(' & ')).join(', ');
      const { guarded } = check;
      return (
        (plan || 'none is complete') + (guarded[0] ? ` (${guarded.join(', ')}: not in the first 15 s)` : '')
      );
    }
    case 'device':
      return check.devices === 'all' ? 'all' : `only ${check.devices}, this is ${check.device}`;
    case 'page':
      return `${check.path} ${check.reason.replace('-', ' ')}${'pattern' in check ? ` by ${check.pattern}` : ''}`;
    case 'decline':
    case 'frequency':
      return 'wait' in check ? `${check.reason} ${waitText(check.wait)}` : check.reason.replaceAll('-', ' ');
    case 'cap':
      return `${check.shows} of ${check.maxShows ?? 'any number of'} impressions`;
  }
}

const waitText = ({ agoDays, days, leftDays }: Wait): string =>
  `${agoDays} d ago, again after ${days} d` + (leftDays > 0 ? ` (${leftDays} d left)` : '');
