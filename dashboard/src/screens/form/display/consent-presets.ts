import type { Popup } from '@svcforms/contracts';

export type ConsentSource = NonNullable<Popup['trackingConsent']>;

/** Where the usual banners leave their answer about analytics, as their makers name it. */
export const CONSENT_PRESETS: readonly { name: string; source: ConsentSource }[] = [
  { name: 'OneTrust', source: { cookie: 'OptanonConsent', category: 'C0002' } },
  { name: 'Cookiebot', source: { cookie: 'CookieConsent', category: 'statistics' } },
  { name: 'CookieYes', source: { cookie: 'cookieyes-consent', category: 'analytics' } },
  { name: 'Complianz', source: { cookie: 'cmplz_statistics' } },
  { name: 'Klaro', source: { storageKey: 'klaro', category: 'googleAnalytics' } },
  { name: 'tarteaucitron', source: { cookie: 'tarteaucitron', category: 'gtag' } },
  { name: 'Usercentrics', source: { storageKey: 'uc_settings', category: 'Google Analytics' } },
  { name: 'Osano', source: { windowPath: 'Osano.cm', category: 'analytics' } },
  { name: 'CookieScript', source: { cookie: 'CookieScriptConsent', category: 'performance' } },
  { name: 'Didomi', source: { cookie: 'didomi_token', category: 'analytics' } },
  { name: 'CookieFirst', source: { cookie: 'cookiefirst-consent', category: 'performance' } },
  { name: 'Google consent mode', source: { consentMode: true } },
];

/** The banner whose places these are, whatever the category; undefined for another one. */
export function presetOf(source: ConsentSource): string | undefined {
  const { category: _, ...places } = source;
  return CONSENT_PRESETS.find((preset) => {
    const { category: __, ...theirs } = preset.source;
    return JSON.stringify(theirs) === JSON.stringify(places);
  })?.name;
}
