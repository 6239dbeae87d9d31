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

/** See docs/reference/popups.md#popup-settings. */
describe('mergeTriggerParameters', () => {
  it('keeps only the saved parameters that the request omits', () => {
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

  it('uses the parameters of the request', () => {
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

  it.each(TRIGGER_PARAMETERS)('removes %s if it is null in the request', (key) => {
    const { enabled: _enabled, trigger: _trigger, maxShows: _maxShows, pages: _pages, ...parameters } = saved;
    const { [key]: _, ...others } = parameters;
    expect(mergeTriggerParameters(saved, { [key]: null })).toEqual(others);
  });

  it('treats null as absent for a new form', () => {
    expect(mergeTriggerParameters(undefined, { enabled: false, delayMs: null, and: null })).toEqual({
      enabled: false,
    });
  });

  it('returns no popup if the request has none', () => {
    expect(mergeTriggerParameters(saved, undefined)).toBeUndefined();
  });

  it('does not change its arguments', () => {
    const before = structuredClone(saved);
    mergeTriggerParameters(saved, { trigger: 'click', selector: null, delayMs: 7 });
    expect(saved).toEqual(before);
  });

  it('restores saved values if a form switches to another trigger and back', () => {
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
  ])('reports an enabled popup with %s', (_, popup, member, message) => {
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
  ])('accepts the complete popup %j', (popup) => {
    expect(checkPopup(popup)).toEqual([]);
  });

  it.each<[Popup]>([
    [{}],
    [{ enabled: false }],
    [{ trigger: 'click' }],
    [{ enabled: false, trigger: 'visible' }],
    [{ enabled: false, trigger: 'all' }],
  ])('accepts the incomplete disabled popup %j', (popup) => {
    expect(checkPopup(popup)).toEqual([]);
  });
});
