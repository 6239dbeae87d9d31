import type { Popup } from '@svcforms/contracts';

export type ConsentSource = NonNullable<Popup['trackingConsent']>;

export interface ConsentPreset {
  name: string;
  source: ConsentSource;
  /** The cookie name ends with a part that depends on the site, such as its id at the vendor. */
  hasOwnEnding?: true;
}

/** Where common consent banners store the choice for analytics, with the vendors' names. */
export const CONSENT_PRESETS: readonly ConsentPreset[] = [
  { name: 'OneTrust', source: { cookie: 'OptanonConsent', category: 'C0002' } },
  { name: 'Cookiebot', source: { cookie: 'CookieConsent', category: 'statistics' } },
  { name: 'CookieYes', source: { cookie: 'cookieyes-consent', category: 'analytics' } },
  { name: 'Complianz', source: { cookie: 'cmplz_statistics' } },
  // The default is a cookie; a site can configure another storage.
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

/** Finds the banner with these sources, regardless of the category. */
export function findPreset(source: ConsentSource): ConsentPreset | undefined {
  return CONSENT_PRESETS.find((preset) => {
    const { cookie = '' } = preset.source;
    const isOwnCookie = preset.hasOwnEnding && source.cookie?.startsWith(cookie);
    return sourceKey(preset.source) === sourceKey(isOwnCookie ? { ...source, cookie } : source);
  });
}

function sourceKey({ cookie, storageKey, windowPath, consentMode }: ConsentSource): string {
  return JSON.stringify([cookie, storageKey, windowPath, consentMode]);
}
