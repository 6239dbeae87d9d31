import { checkDisplay, parseTriggers, type PageView, type Popup } from '@svcforms/contracts';
import { ruleText } from '../browser/debug/rule-text.ts';

const DAY = 86_400_000;
const NOW = 2_000 * DAY;
const fresh: PageView = { path: '/', device: 'desktop', now: NOW };
const linesOf = (popup: Popup, view: Partial<PageView> = {}, triggers?: string) =>
  checkDisplay(popup, { ...fresh, ...view }, triggers ? parseTriggers(triggers).plan : undefined).map(
    (check) => `${check.rule}: ${ruleText(check)}`,
  );

describe('ruleText', () => {
  it('gives a reason for each rule that passes', () => {
    expect(linesOf({ enabled: true, trigger: 'exit' })).toEqual([
      'mode: popup',
      'trigger: exit (exit: not in the first 15 s)',
      'device: all',
      'page: / every page',
      'decline: not declined',
      'frequency: not shown',
      'cap: 0 of any number of impressions',
    ]);
  });

  it('gives a reason for each rule that blocks', () => {
    const popup: Popup = {
      devices: 'mobile',
      pages: { exclude: ['/a/*'] },
      frequencyDays: 14,
      maxShows: 2,
    };
    const view = { path: '/a/b', declinedAt: NOW - 89 * DAY, waitFrom: NOW - 3 * DAY, shows: 2 };
    expect(linesOf(popup, view)).toEqual([
      'mode: inline',
      'trigger: none is complete',
      'device: only mobile, this is desktop',
      'page: /a/b excluded by /a/*',
      'decline: declined 89 d ago, again after 90 d (1 d left)',
      'frequency: shown 3 d ago, again after 14 d (11 d left)',
      'cap: 2 of 2 impressions',
    ]);
  });

  it('names the triggers of the script tag', () => {
    expect(linesOf({}, {}, 'delay:5, scroll:10&exit').slice(0, 2)).toEqual([
      'mode: inline, but the script tag names a trigger',
      'trigger: delay, scroll & exit (scroll, exit: not in the first 15 s)',
    ]);
  });
});
