import type { Popup } from '@svcforms/contracts';

export type ConsentSource = NonNullable<Popup['trackingConsent']>;

export interface ConsentPreset {
  name: string;
  source: ConsentSource;
  /** What the name of the cookie ends with is the site's own, such as its number at the banner's maker. */
  hasOwnEnding?: true;
}

/** Where the usual banners leave their answer about analytics, as their makers name it. */
export const CONSENT_PRESETS: readonly ConsentPreset[] = [
  { name: 'OneTrust', source: { cookie: 'OptanonConsent', category: 'C0002' } },
  { name: 'Cookiebot', source: { cookie: 'CookieConsent', category: 'statistics' } },
  { name: 'CookieYes', source: { cookie: 'cookieyes-consent', category: 'analytics' } },
  { name: 'Complianz', source: { cookie: 'cmplz_statistics' } },
  // In a cookie, unless the site has told it otherwise.
  { name: 'Klaro', source: { cookie: 'klaro', storageKey: 'klaro', category: 'googleAnalytics' } },
  { name: 'tarteaucitron', source: { cookie: 'tarteaucitron', category: 'gtag' } },
  { name: 'Usercentrics (uc_settings)', source: { storageKey: 'uc_settings', category: 'Google Analytics' } },
  {
    name: 'Usercentrics (usercentrics)',
    source: { storageKey: 'usercentrics', category: 'Google Analytics' },
  },
  { name: 'Osano', source: { windowPath: 'Osano.cm', category: 'analytics' } },
  { name: 'CookieScript', source: { cookie: 'CookieScriptConsent', category: 'performance' } },
  { name: 'cookieconsent', source: { cookie: 'cc_cookie', category: 'analytics' } },
  { name: 'Didomi', source: { cookie: 'didomi_token', category: 'analytics' } },
  { name: 'iubenda', source: { cookie: '_iub_cs-', category: '4' }, hasOwnEnding: true },
  { name: 'Piwik PRO', source: { cookie: 'ppms_privacy_', category: 'analytics' }, hasOwnEnding: true },
  { name: 'Borlabs', source: { cookie: 'borlabs-cookie', category: 'statistics' } },
  { name: 'CookieFirst', source: { cookie: 'cookiefirst-consent', category: 'performance' } },
  { name: 'Google consent mode', source: { consentMode: true } },
];

/** The banner whose places these are, whatever the category; undefined for another one. */
export function presetOf(source: ConsentSource): ConsentPreset | undefined {
  return CONSENT_PRESETS.find((preset) => {
    const { cookie = '' } = preset.source;
    const isOwnCookie = preset.hasOwnEnding && source.cookie?.startsWith(cookie);
    return placesOf(preset.source) === placesOf(isOwnCookie ? { ...source, cookie } : source);
  });
}

function placesOf({ cookie, storageKey, windowPath, consentMode }: ConsentSource): string {
  return JSON.stringify([cookie, storageKey, windowPath, consentMode]);
}
