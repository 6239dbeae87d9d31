import { TRIGGER_PARAMETERS } from './popup-rules.ts';
import { Popup, PopupIn } from './popup.ts';
import { readInput } from '../api/read-input.ts';

const everything = {
  enabled: true,
  trigger: 'all',
  delayMs: 8000,
  scrollPercent: 62.5,
  intentLevel: 'hot',
  selector: '#cta',
  and: [{ trigger: 'intent', intentLevel: 'warm' }, { trigger: 'exit' }],
  exitSensitivityPx: 0,
  mouseLeaveDelayMs: 0,
  devices: 'mobile',
  pages: { include: ['/blog/*'], exclude: ['/blog/private'] },
  frequencyDays: 0,
  maxShows: 3,
  decline: { enabled: true, text: 'Not now', suppressDays: 0 },
  trackingConsent: {
    cookie: 'c',
    storageKey: 's',
    windowPath: 'a.b',
    category: 'analytics',
    consentMode: 'ad_storage',
  },
};

const issuesWith = (popup: unknown) => {
  const reading = readInput(PopupIn, popup);
  return reading.ok ? [] : reading.issues;
};

describe('settings.popup', () => {
  it('is stored as it was sent', () => {
    expect(PopupIn.parse(everything)).toEqual(everything);
    expect(Popup.parse(everything)).toEqual(everything);
  });

  it('has no defaults', () => {
    expect(PopupIn.parse({})).toEqual({});
    expect(PopupIn.parse({ decline: {}, trackingConsent: {}, pages: {} })).toEqual({
      decline: {},
      trackingConsent: {},
      pages: {},
    });
  });

  it.each([
    ['delayMs', 0, 3_600_000],
    ['scrollPercent', 0, 100],
    ['exitSensitivityPx', 0, 1000],
    ['mouseLeaveDelayMs', 0, 60_000],
    ['frequencyDays', 0, 3650],
    ['maxShows', 1, 1000],
  ])('accepts %s from %d to %d', (key, min, max) => {
    expect(issuesWith({ [key]: min })).toEqual([]);
    expect(issuesWith({ [key]: max })).toEqual([]);
    expect(issuesWith({ [key]: min - 1 })).toEqual([
      { pointer: `/${key}`, message: `must be at least ${min}` },
    ]);
    expect(issuesWith({ [key]: max + 1 })).toEqual([
      { pointer: `/${key}`, message: `must be at most ${max}` },
    ]);
  });

  it.each(['delayMs', 'exitSensitivityPx', 'mouseLeaveDelayMs', 'frequencyDays', 'maxShows'])(
    'accepts only whole numbers as %s',
    (key) => {
      expect(issuesWith({ [key]: 1.5 })).toEqual([{ pointer: `/${key}`, message: 'must be a whole number' }]);
    },
  );

  it.each([
    [
      { trigger: 'hover' },
      '/trigger',
      /one of: exit, delay, inactivity, scroll, click, visible, intent, all$/,
    ],
    [{ enabled: 'yes' }, '/enabled', /true or false/],
    [{ enabled: null }, '/enabled', /true or false/],
    [{ intentLevel: 'cold' }, '/intentLevel', /one of: warm, hot/],
    [{ devices: 'tablet' }, '/devices', /one of: all, desktop, mobile/],
    [{ selector: 'a'.repeat(501) }, '/selector', /at most 500 characters/],
    [{ decline: { text: 'a'.repeat(81) } }, '/decline/text', /at most 80 characters/],
    [{ decline: { suppressDays: 3651 } }, '/decline/suppressDays', /at most 3650/],
    [{ pages: { include: '/a' } }, '/pages/include', /a list/],
    [{ trackingConsent: { consentMode: false } }, '/trackingConsent/consentMode', /true or text/],
    [{ delay: 3 }, '/delay', /unknown key; known keys: enabled, trigger/],
    [{ decline: { label: 'x' } }, '/decline/label', /unknown key/],
    [{ pages: { only: [] } }, '/pages/only', /unknown key/],
    [{ trackingConsent: { key: 'x' } }, '/trackingConsent/key', /unknown key/],
  ])('refuses %j', (popup, pointer, message) => {
    expect(issuesWith(popup)).toEqual([{ pointer, message: expect.stringMatching(message) as string }]);
  });

  it('accepts a selector of 500 characters and a decline text of 80', () => {
    expect(issuesWith({ selector: 'a'.repeat(500), decline: { text: 'b'.repeat(80) } })).toEqual([]);
  });

  it.each(TRIGGER_PARAMETERS)('accepts null for %s only in requests', (key) => {
    expect(PopupIn.parse({ [key]: null })).toEqual({ [key]: null });
    expect(Popup.safeParse({ [key]: null }).success).toBe(false);
  });
});

describe('settings.popup.and', () => {
  it.each([
    [{ trigger: 'exit' }],
    [{ trigger: 'delay', delayMs: 10 }],
    [{ trigger: 'inactivity' }],
    [{ trigger: 'scroll', scrollPercent: 10 }],
    [{ trigger: 'click', selector: 'a' }],
    [{ trigger: 'visible', selector: 'a' }],
    [{ trigger: 'intent' }],
    [{ trigger: 'intent', intentLevel: 'warm' }],
  ])('accepts the condition %j', (condition) => {
    expect(PopupIn.parse({ and: [condition, condition] }).and).toEqual([condition, condition]);
  });

  it.each([
    ['all within all', { trigger: 'all' }, '/and/1/trigger', /one of: exit, delay, .*intent$/],
    ['no trigger', {}, '/and/1/trigger', /one of/],
    ['no selector', { trigger: 'click' }, '/and/1/selector', /required/],
    ['a blank selector', { trigger: 'visible', selector: ' ' }, '/and/1/selector', /not empty/],
    ['the parameter of another trigger', { trigger: 'exit', delayMs: 5 }, '/and/1/delayMs', /unknown key/],
    [
      'a parameter out of bounds',
      { trigger: 'scroll', scrollPercent: 101 },
      '/and/1/scrollPercent',
      /at most 100/,
    ],
    ['null as a parameter', { trigger: 'delay', delayMs: null }, '/and/1/delayMs', /a number/],
    ['text instead of an object', 'exit', '/and/1', /an object/],
  ])('refuses a condition with %s', (_, condition, pointer, message) => {
    expect(issuesWith({ and: [{ trigger: 'exit' }, condition] })).toEqual([
      { pointer, message: expect.stringMatching(message) as string },
    ]);
  });

  it.each([
    [0, 'at least 2'],
    [1, 'at least 2'],
    [3, 'at most 2'],
  ])('refuses %d conditions', (count, bound) => {
    expect(issuesWith({ and: Array.from({ length: count }, () => ({ trigger: 'exit' })) })).toEqual([
      { pointer: '/and', message: `must have ${bound} entries` },
    ]);
  });
});
