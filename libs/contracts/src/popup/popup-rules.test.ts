import { checkPopup, mergeTriggerParameters, TRIGGER_PARAMETERS } from './popup-rules.ts';
import type { Popup, PopupIn } from './popup.ts';

const and: Popup['and'] = [{ trigger: 'exit' }, { trigger: 'delay', delayMs: 30_000 }];
const saved: Popup = {
  enabled: true,
  trigger: 'scroll',
  delayMs: 1000,
  scrollPercent: 40,
  intentLevel: 'hot',
  selector: '#cta',
  and,
  exitSensitivityPx: 40,
  mouseLeaveDelayMs: 0,
  maxShows: 2,
  pages: { include: ['/a'] },
};

/** docs/reference/popups.md#popup-settings */
describe('mergeTriggerParameters', () => {
  it('keeps the saved parameters that the request does not mention, and nothing else', () => {
    expect(mergeTriggerParameters(saved, { enabled: true, trigger: 'exit' })).toEqual({
      enabled: true,
      trigger: 'exit',
      delayMs: 1000,
      scrollPercent: 40,
      intentLevel: 'hot',
      selector: '#cta',
      and,
      exitSensitivityPx: 40,
      mouseLeaveDelayMs: 0,
    });
  });

  it('takes the parameters that the request brings', () => {
    const incoming: PopupIn = {
      delayMs: 0,
      scrollPercent: 0,
      intentLevel: 'warm',
      selector: '',
      and: [{ trigger: 'exit' }, { trigger: 'exit' }],
      exitSensitivityPx: 0,
      mouseLeaveDelayMs: 500,
    };
    expect(mergeTriggerParameters(saved, incoming)).toEqual(incoming);
  });

  it.each(TRIGGER_PARAMETERS)('removes %s when the request says null', (key) => {
    const { enabled: _enabled, trigger: _trigger, maxShows: _maxShows, pages: _pages, ...parameters } = saved;
    const { [key]: _, ...others } = parameters;
    expect(mergeTriggerParameters(saved, { [key]: null })).toEqual(others);
  });

  it('takes null as absent for a form that has nothing saved', () => {
    expect(mergeTriggerParameters(undefined, { enabled: false, delayMs: null, and: null })).toEqual({
      enabled: false,
    });
  });

  it('saves no popup, parameters included, when the request has none', () => {
    expect(mergeTriggerParameters(saved, undefined)).toBeUndefined();
  });

  it('leaves what it is given as it is', () => {
    const before = structuredClone(saved);
    mergeTriggerParameters(saved, { trigger: 'click', selector: null, delayMs: 7 });
    expect(saved).toEqual(before);
  });

  it('brings earlier values back when a form switches its trigger there and back', () => {
    const there = mergeTriggerParameters(saved, { enabled: true, trigger: 'delay', delayMs: 9 });
    const back = mergeTriggerParameters(there, { enabled: true, trigger: 'scroll' });
    expect(back).toMatchObject({ trigger: 'scroll', scrollPercent: 40, delayMs: 9 });
  });
});

describe('checkPopup', () => {
  it.each<[string, Popup, string, RegExp]>([
    ['no trigger', { enabled: true }, 'trigger', /^is required .*: exit, .*, all$/],
    ['click without a selector', { enabled: true, trigger: 'click' }, 'selector', /click/],
    ['visible without a selector', { enabled: true, trigger: 'visible' }, 'selector', /visible/],
    ['a blank selector', { enabled: true, trigger: 'click', selector: ' ' }, 'selector', /click/],
    ['all without conditions', { enabled: true, trigger: 'all' }, 'and', /two conditions/],
  ])('misses something in an enabled popup with %s', (_, popup, member, message) => {
    expect(checkPopup(popup)).toEqual([
      { pointer: `/settings/popup/${member}`, message: expect.stringMatching(message) as string },
    ]);
  });

  it.each<[Popup]>([
    [{ enabled: true, trigger: 'exit' }],
    [{ enabled: true, trigger: 'delay' }],
    [{ enabled: true, trigger: 'inactivity' }],
    [{ enabled: true, trigger: 'scroll' }],
    [{ enabled: true, trigger: 'intent' }],
    [{ enabled: true, trigger: 'click', selector: 'a' }],
    [{ enabled: true, trigger: 'visible', selector: 'a' }],
    [{ enabled: true, trigger: 'all', and }],
  ])('misses nothing in %j', (popup) => {
    expect(checkPopup(popup)).toEqual([]);
  });

  it.each<[Popup]>([
    [{}],
    [{ enabled: false }],
    [{ trigger: 'click' }],
    [{ enabled: false, trigger: 'visible' }],
    [{ enabled: false, trigger: 'all' }],
  ])('lets a popup that is off be half done: %j', (popup) => {
    expect(checkPopup(popup)).toEqual([]);
  });
});
