import type { Popup } from './popup.ts';
import { parseTriggers } from './trigger-plan.ts';
import { checkDisplay, checkPage, type PageView } from './display-check.ts';

const DAY = 86_400_000;
const NOW = 2_000 * DAY;
const popup: Popup = { enabled: true, trigger: 'exit' };
const fresh: PageView = { path: '/', device: 'desktop', now: NOW };

const blockersOf = (settings: Popup, view: Partial<PageView> = {}) =>
  checkDisplay({ ...popup, ...settings }, { ...fresh, ...view }).filter(({ ok }) => !ok);

describe('checkDisplay', () => {
  it('passes every rule for a new visitor', () => {
    expect(checkDisplay(popup, fresh).map(({ ok }) => ok)).toEqual(Array(7).fill(true));
  });

  it.each<[Popup, Partial<PageView>, object[]]>([
    [{ enabled: false }, {}, [{ rule: 'mode', reason: 'inline' }]],
    [{ trigger: 'click' }, {}, [{ rule: 'trigger', plan: [] }]],
    [{ devices: 'mobile' }, {}, [{ rule: 'device', devices: 'mobile', device: 'desktop' }]],
    [{ devices: 'mobile' }, { device: 'mobile' }, []],
    [
      { pages: { exclude: ['/pricing'] } },
      { path: '/Pricing/' },
      [{ rule: 'page', path: '/Pricing/', reason: 'excluded', pattern: '/pricing' }],
    ],
    [
      { pages: { include: ['/blog/*'] } },
      { path: '/blog' },
      [{ rule: 'page', path: '/blog', reason: 'not-included' }],
    ],
    [
      {},
      { waitFrom: NOW - 3 * DAY },
      [{ rule: 'frequency', reason: 'shown', wait: { agoDays: 3, days: 30, leftDays: 27 } }],
    ],
    [{}, { waitFrom: NOW - 30 * DAY }, []],
    [
      { frequencyDays: 1 },
      { waitFrom: NOW - DAY + 1 },
      [{ rule: 'frequency', reason: 'shown', wait: { agoDays: 0, days: 1, leftDays: 1 } }],
    ],
    [{ frequencyDays: 0 }, { waitFrom: NOW - 1 }, []],
    [{ frequencyDays: 0 }, { isSeenInSession: true }, [{ rule: 'frequency', reason: 'shown-in-session' }]],
    [
      { frequencyDays: 0 },
      { declinedAt: NOW - 89 * DAY },
      [{ rule: 'decline', reason: 'declined', wait: { agoDays: 89, days: 90, leftDays: 1 } }],
    ],
    [{}, { declinedAt: NOW - 90 * DAY }, []],
    [{ decline: { suppressDays: 0 } }, { declinedAt: NOW }, []],
    [{ maxShows: 2 }, { shows: 1 }, []],
    [{ maxShows: 2 }, { shows: 2 }, [{ rule: 'cap', shows: 2, maxShows: 2 }]],
    [{ maxShows: 1, devices: 'mobile' }, { shows: 1 }, [{ rule: 'device' }, { rule: 'cap' }]],
  ])('with %j and %j is blocked by %j', (settings, view, expected) => {
    expect(blockersOf(settings, view)).toMatchObject(expected);
  });

  it('uses the triggers of the script tag even if popup mode is off', () => {
    const { plan } = parseTriggers('delay:5, scroll:10&exit');
    const checks = checkDisplay({}, fresh, plan);
    expect(checks.every(({ ok }) => ok)).toBe(true);
    expect(checks).toMatchObject([
      { rule: 'mode', reason: 'script-tag' },
      { rule: 'trigger', plan, guarded: ['scroll', 'exit'] },
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  it.each<[Popup, boolean | undefined, string | undefined]>([
    [{ trigger: 'intent' }, undefined, 'unknown'],
    [{ trigger: 'all', and: [{ trigger: 'exit' }, { trigger: 'intent' }] }, undefined, 'unknown'],
    [{ trigger: 'intent' }, false, 'missing'],
    [{ trigger: 'intent' }, true, undefined],
    [{ trigger: 'exit' }, undefined, undefined],
  ])('with %j and an analytics tag %s reports it as %s', (settings, hasWarmLead, expected) => {
    const [, check] = checkDisplay({ ...popup, ...settings }, { ...fresh, hasWarmLead });
    expect(check).toMatchObject({ rule: 'trigger' });
    expect(check?.rule === 'trigger' && check.analyticsTag).toBe(expected);
  });
});

describe('checkPage', () => {
  it.each([
    [undefined, '/a', { ok: true, reason: 'every-page' }],
    [{ exclude: ['/b'] }, '/a', { ok: true, reason: 'not-excluded' }],
    [{ include: ['/a/*'] }, '/a/b', { ok: true, reason: 'included', pattern: '/a/*' }],
    [
      { include: ['/a/*'], exclude: ['/x', '/a/b'] },
      '/a/b',
      { ok: false, reason: 'excluded', pattern: '/a/b' },
    ],
    [{ include: ['/a.c'] }, '/abc', { ok: false, reason: 'not-included' }],
  ])('with %j on %s is %j', (pages, path, expected) => {
    expect(checkPage(pages, path)).toEqual({ rule: 'page', path, ...expected });
  });
});
