import { CONSENT_PRESETS, findPreset } from './consent-presets.ts';

describe('a consent banner preset', () => {
  it.each(CONSENT_PRESETS.map((preset) => [preset.name, preset] as const))(
    'is found by its sources: %s',
    (_, preset) => {
      expect(findPreset(preset.source)).toBe(preset);
      expect(findPreset({ ...preset.source, category: 'of the site' })).toBe(preset);
    },
  );

  it('is found by the prefix of a cookie name with a site id', () => {
    expect(findPreset({ cookie: '_iub_cs-12345678', category: '4' })?.name).toBe('iubenda');
    expect(findPreset({ cookie: 'OptanonConsent2' })).toBeUndefined();
  });

  it('is not found with an additional source', () => {
    expect(findPreset({ cookie: 'OptanonConsent', windowPath: 'a.b' })).toBeUndefined();
    expect(findPreset({ cookie: 'mine' })).toBeUndefined();
  });
});
