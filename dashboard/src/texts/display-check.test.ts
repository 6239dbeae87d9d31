import { checkDisplay, checkPage, parseTriggers, type PageView, type Popup } from '@svcforms/contracts';
import { ruleText, ruleWarning } from './display-check.ts';

const DAY = 86_400_000;
const NOW = 2_000 * DAY;
const popup: Popup = { enabled: true, trigger: 'exit' };
const fresh: PageView = { path: '/', device: 'desktop', now: NOW };

const blockersOf = (settings: Popup, view: Partial<PageView> = {}) =>
  checkDisplay({ ...popup, ...settings }, { ...fresh, ...view })
    .filter(({ ok }) => !ok)
    .map((check) => `${check.rule}: ${ruleText(check)}`);

describe('ruleText', () => {
  it.each<[Popup, Partial<PageView>, string[]]>([
    [{ enabled: false }, {}, ['mode: Popup mode is off: the form is displayed inline.']],
    [{ trigger: 'click' }, {}, ['trigger: No trigger is complete.']],
    [{ devices: 'mobile' }, {}, ['device: Shown only on mobile; this is desktop.']],
    [{ devices: 'mobile' }, { device: 'mobile' }, []],
    [
      { pages: { exclude: ['/pricing'] } },
      { path: '/Pricing/' },
      ['page: On /Pricing/: excluded by /pricing.'],
    ],
    [
      { pages: { include: ['/blog/*'] } },
      { path: '/blog' },
      ['page: On /blog: not among the included pages.'],
    ],
    [
      {},
      { waitFrom: NOW - 3 * DAY },
      ['frequency: Shown 3 days ago, shown again after 30 days: 27 days left.'],
    ],
    [{}, { waitFrom: NOW - 30 * DAY }, []],
    [
      { frequencyDays: 1 },
      { waitFrom: NOW - DAY + 1 },
      ['frequency: Shown 0 days ago, shown again after 1 day: 1 day left.'],
    ],
    [{ frequencyDays: 0 }, { waitFrom: NOW - 1 }, []],
    [
      { frequencyDays: 0 },
      { isSeenInSession: true },
      ['frequency: Shown once per session, and already shown in this one.'],
    ],
    [
      { frequencyDays: 0 },
      { declinedAt: NOW - 89 * DAY },
      ['decline: Declined 89 days ago, shown again after 90 days: 1 day left.'],
    ],
    [{}, { declinedAt: NOW - 90 * DAY }, []],
    [{ decline: { suppressDays: 0 } }, { declinedAt: NOW }, []],
    [{ maxShows: 2 }, { shows: 1 }, []],
    [{ maxShows: 2 }, { shows: 2 }, ['cap: Shown 2 times; the maximum is 2.']],
    [
      { maxShows: 1, devices: 'mobile' },
      { shows: 1 },
      ['device: Shown only on mobile; this is desktop.', 'cap: Shown once; the maximum is 1.'],
    ],
  ])('explains what blocks %j in %j: %j', (settings, view, expected) => {
    expect(blockersOf(settings, view)).toEqual(expected);
  });

  it('names the triggers of the script tag', () => {
    const { plan } = parseTriggers('delay:5, scroll:10&exit');
    expect(checkDisplay({}, fresh, plan).slice(0, 2).map(ruleText)).toEqual([
      'Popup mode is off, but the script tag names a trigger.',
      'Waits for delay, or scroll and exit. Ignores scroll and exit during the first 15 seconds.',
    ]);
  });
});

describe('ruleWarning', () => {
  const intent: Popup = { enabled: true, trigger: 'intent' };
  const pair: Popup = { enabled: true, trigger: 'all', and: [{ trigger: 'exit' }, { trigger: 'intent' }] };
  const warningOf = (settings: Popup, view: Partial<PageView> = {}) =>
    checkDisplay(settings, { ...fresh, ...view }).flatMap((check) => ruleWarning(check) ?? []);

  it('warns about an intent trigger unless the page has the analytics tag', () => {
    expect(warningOf(intent)).toEqual([expect.stringMatching(/^Check your page: .*data-warm-lead="true"/)]);
    expect(warningOf(pair)).toHaveLength(1);
    expect(warningOf(intent, { hasWarmLead: false })).toEqual([
      expect.stringMatching(/^The page has no analytics tag/),
    ]);
    expect(warningOf(intent, { hasWarmLead: true })).toEqual([]);
    expect(warningOf(popup)).toEqual([]);
  });
});

describe('the result of checkPage', () => {
  it.each([
    [undefined, '/a', true, 'every page is included'],
    [{ exclude: ['/b'] }, '/a', true, 'every page is included except the excluded ones'],
    [{ include: ['/a/*'] }, '/a/b', true, 'included by /a/*'],
    [{ include: ['/a/*'], exclude: ['/x', '/a/b'] }, '/a/b', false, 'excluded by /a/b'],
    [{ include: ['/a.c'] }, '/abc', false, 'not among the included pages'],
  ])('with %j on %s is explained: %s, %s', (pages, path, ok, why) => {
    const result = checkPage(pages, path);
    expect([result.ok, ruleText(result)]).toEqual([ok, `On ${path}: ${why}.`]);
  });
});
