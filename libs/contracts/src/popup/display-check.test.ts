import type { Popup } from './popup.ts';
import { parseTriggers } from './trigger-plan.ts';
import { checkDisplay, checkPage, type PageView } from './display-check.ts';

const DAY = 86_400_000;
const NOW = 2_000 * DAY;
const popup: Popup = { enabled: true, trigger: 'exit' };
const fresh: PageView = { path: '/', device: 'desktop', now: NOW };

const blockedBy = (settings: Popup, view: Partial<PageView> = {}) =>
  checkDisplay({ ...popup, ...settings }, { ...fresh, ...view })
    .filter(({ ok }) => !ok)
    .map(({ rule, text }) => `${rule}: ${text}`);

describe('checkDisplay', () => {
  it('lets every rule pass for a first visit', () => {
    expect(checkDisplay(popup, fresh).map(({ ok }) => ok)).toEqual(Array(7).fill(true));
  });

  it.each<[Popup, Partial<PageView>, string[]]>([
    [{ enabled: false }, {}, ['mode: Popup mode is off: the form stands in the page.']],
    [{ trigger: 'click' }, {}, ['trigger: There is no complete trigger.']],
    [{ devices: 'mobile' }, {}, ['device: Only mobile gets it; this is desktop.']],
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
      ['frequency: Seen 3 days ago, seen again after 30 days: 27 days to go.'],
    ],
    [{}, { waitFrom: NOW - 30 * DAY }, []],
    [
      { frequencyDays: 1 },
      { waitFrom: NOW - DAY + 1 },
      ['frequency: Seen 0 days ago, seen again after 1 day: 1 day to go.'],
    ],
    [{ frequencyDays: 0 }, { waitFrom: NOW - 1 }, []],
    [
      { frequencyDays: 0 },
      { isSeenInSession: true },
      ['frequency: Once per session, and it was there in this one.'],
    ],
    [
      { frequencyDays: 0 },
      { declinedAt: NOW - 89 * DAY },
      ['decline: Declined 89 days ago, seen again after 90 days: 1 day to go.'],
    ],
    [{}, { declinedAt: NOW - 90 * DAY }, []],
    [{ decline: { suppressDays: 0 } }, { declinedAt: NOW }, []],
    [{ maxShows: 2 }, { shows: 1 }, []],
    [{ maxShows: 2 }, { shows: 2 }, ['cap: Seen 2 times of 2 in all.']],
    [
      { maxShows: 1, devices: 'mobile' },
      { shows: 1 },
      ['device: Only mobile gets it; this is desktop.', 'cap: Seen once of 1 in all.'],
    ],
  ])('with %j and %j is blocked by %j', (settings, view, expected) => {
    expect(blockedBy(settings, view)).toEqual(expected);
  });

  it('uses the trigger of a script tag, even if popup mode is off', () => {
    const { plan } = parseTriggers('delay:5, scroll:10&exit');
    const result = checkDisplay({}, fresh, plan);
    expect(result.every(({ ok }) => ok)).toBe(true);
    expect(result[1]?.text).toBe(
      'It waits for delay, or scroll and exit; what scroll and exit would see in the first 15 seconds opens nothing yet.',
    );
  });
});

describe('an intent trigger', () => {
  const intent: Popup = { enabled: true, trigger: 'intent' };
  const pair: Popup = { enabled: true, trigger: 'all', and: [{ trigger: 'exit' }, { trigger: 'intent' }] };
  const warningOf = (settings: Popup, view: Partial<PageView> = {}) =>
    checkDisplay(settings, { ...fresh, ...view }).flatMap(({ warning }) => warning ?? []);

  it('has a warning unless the page has the analytics tag', () => {
    expect(warningOf(intent)).toEqual([expect.stringMatching(/^Check your page: .*data-warm-lead="true"/)]);
    expect(warningOf(pair)).toHaveLength(1);
    expect(warningOf(intent, { hasWarmLead: false })).toEqual([expect.stringMatching(/^No such tag/)]);
    expect(warningOf(intent, { hasWarmLead: true })).toEqual([]);
    expect(warningOf(popup)).toEqual([]);
  });
});

describe('checkPage', () => {
  it.each([
    [undefined, '/a', true, 'every page is included'],
    [{ exclude: ['/b'] }, '/a', true, 'every page is included but the excluded ones'],
    [{ include: ['/a/*'] }, '/a/b', true, 'included by /a/*'],
    [{ include: ['/a/*'], exclude: ['/x', '/a/b'] }, '/a/b', false, 'excluded by /a/b'],
    [{ include: ['/a.c'] }, '/abc', false, 'not among the included pages'],
  ])('with %j returns for %s: %s, %s', (pages, path, ok, why) => {
    expect(checkPage(pages, path)).toEqual({ rule: 'page', ok, text: `On ${path}: ${why}.` });
  });
});
