import { CONSENT_PRESETS, presetOf } from './consent-presets.ts';

describe('a banner', () => {
  it.each(CONSENT_PRESETS.map((preset) => [preset.name, preset] as const))(
    'is known by its places: %s.',
    (_, preset) => {
      expect(presetOf(preset.source)).toBe(preset);
      expect(presetOf({ ...preset.source, category: 'of the site' })).toBe(preset);
    },
  );

  it('is known by the beginning of a cookie that ends with the site’s number.', () => {
    expect(presetOf({ cookie: '_iub_cs-12345678', category: '4' })?.name).toBe('iubenda');
    expect(presetOf({ cookie: 'OptanonConsent2' })).toBeUndefined();
  });

  it('is another one where something else is read beside it.', () => {
    expect(presetOf({ cookie: 'OptanonConsent', windowPath: 'a.b' })).toBeUndefined();
    expect(presetOf({ cookie: 'mine' })).toBeUndefined();
  });
});
