import {
  CONSENT_PRESETS,
  type ConsentPreset,
} from '../../../dashboard/src/screens/form/display/consent-presets.ts';
import { atOnce } from '../at-once.ts';
import type { Stage } from '../stage.ts';

type Answer = 'yes' | 'no';

const packed = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

/** What a banner's own script leaves in the cookie, in the storage or on the window, after that answer. */
const LEFT: Readonly<Record<string, (answer: Answer, source: ConsentPreset['source']) => string>> = {
  OneTrust: (answer, { cookie }) =>
    setCookie(
      cookie,
      `isGpcEnabled=0&datestamp=Sat+Mar+14+2026&version=202501.2.0&browserGpcFlag=0&isIABGlobal=false&hosts=&consentId=5a1c&interactionCount=1&landingPath=NotLandingPage&groups=C0001%3A1%2CC0002%3A${answer === 'yes' ? 1 : 0}%2CC0003%3A${answer === 'yes' ? 0 : 1}`,
    ),
  Cookiebot: (answer, { cookie }) =>
    setCookie(
      cookie,
      `{stamp:%27a1b2c3==%27%2Cnecessary:true%2Cpreferences:${answer === 'no'}%2Cstatistics:${answer === 'yes'}%2Cmarketing:${answer === 'no'}%2Cmethod:%27explicit%27%2Cver:1%2Cutc:1773480413589%2Cregion:%27de%27}`,
    ),
  CookieYes: (answer, { cookie }) =>
    setCookie(
      cookie,
      `consentid:YWJj,consent:yes,action:yes,necessary:yes,functional:yes,analytics:${answer},performance:yes,advertisement:no`,
    ),
  Complianz: (answer, { cookie }) => setCookie(cookie, answer === 'yes' ? 'allow' : 'deny'),
  Klaro: (answer, { cookie }) =>
    setCookie(cookie, packed({ session: true, googleAnalytics: answer === 'yes' })),
  tarteaucitron: (answer, { cookie }) =>
    setCookie(cookie, `!youtube=${answer === 'no'}!gtag=${answer === 'yes'}!recaptcha=wait`),
  'Usercentrics (uc_settings)': (answer, { storageKey }) =>
    setItem(storageKey, {
      controllerId: 'c1',
      id: 'settings',
      language: 'en',
      services: [
        { history: [], id: 'x', name: 'Other', processorId: 'p', status: answer === 'no' },
        {
          history: [{ action: 'onUpdateServices', status: true }],
          id: 'y',
          name: 'Google Analytics',
          status: answer === 'yes',
        },
      ],
      version: '1.0.0',
    }),
  'Usercentrics (usercentrics)': (answer, { storageKey }) =>
    setItem(storageKey, {
      consents: [
        { templateId: 'x', id: 'x', name: 'Other', consentStatus: answer === 'no' },
        { templateId: 'y', id: 'y', name: 'Google Analytics', consentStatus: answer === 'yes' },
      ],
    }),
  // The loader is a function that queues calls; the manager answers by getters of its class, and knows its dialog.
  Osano: (answer) => `
    class ConsentManager {
      #consent = { ESSENTIAL: 'ACCEPT', ANALYTICS: '${answer === 'yes' ? 'ACCEPT' : 'DENY'}', MARKETING: '${answer === 'yes' ? 'DENY' : 'ACCEPT'}' };
      constructor() { this.self = this; this.root = document; this.mode = 'production'; }
      get analytics() { return this.#consent.ANALYTICS === 'ACCEPT'; }
      get marketing() { return this.#consent.MARKETING === 'ACCEPT'; }
      getConsent() { throw new Error('called'); }
      showDialog() { throw new Error('called'); }
    }
    window.Osano = function () { (window.Osano.data = window.Osano.data || []).push(arguments); };
    Object.defineProperty(window.Osano, 'cm', { get: ((cm) => () => cm)(Object.freeze(new ConsentManager())) });`,
  CookieScript: (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        bannershown: 1,
        action: answer === 'yes' ? 'accept' : 'reject',
        consenttime: 1_773_480_413,
        categories: answer === 'yes' ? '["strict","performance"]' : '[]',
        key: 'k',
      }),
    ),
  cookieconsent: (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        categories: answer === 'yes' ? ['necessary', 'analytics'] : ['necessary'],
        revision: 0,
        data: null,
        consentTimestamp: '2026-03-14T09:26:53.589Z',
        services: { necessary: [], analytics: answer === 'yes' ? ['ga'] : [] },
      }),
    ),
  Didomi: (answer, { cookie }) =>
    setCookie(
      cookie,
      base64({
        user_id: 'u',
        vendors: { enabled: ['google'], disabled: [] },
        purposes:
          answer === 'yes'
            ? { enabled: ['analytics'], disabled: [] }
            : { enabled: [], disabled: ['analytics'] },
        version: 2,
      }),
    ),
  iubenda: (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        timestamp: '2026-03-14T09:26:53.589Z',
        version: '1.70.0',
        purposes: {
          1: true,
          2: answer === 'no',
          3: answer === 'no',
          4: answer === 'yes',
          5: answer === 'no',
        },
        id: 12345678,
        cons: { rand: 'a1b2' },
      }),
    ),
  'Piwik PRO': (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        visitorId: 'v',
        domain: { normalized: 'x', isWildcard: false, pattern: 'x' },
        consents: {
          remarketing: { status: answer === 'yes' ? 0 : 1 },
          analytics: { status: answer === 'yes' ? 1 : 0 },
        },
        staleCheckpoint: '2026-03-14T09:26:53.589Z',
      }),
    ),
  Borlabs: (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        // Groups without consent are left out.
        consents: {
          essential: ['borlabs-cookie'],
          ...(answer === 'yes' && { statistics: ['google-analytics'] }),
        },
        domainPath: 'x/',
        uid: 'anonymous',
        version: '1',
      }),
    ),
  CookieFirst: (answer, { cookie }) =>
    setCookie(
      cookie,
      packed({
        necessary: true,
        performance: answer === 'yes',
        functional: true,
        advertising: answer === 'no',
        type: 'category',
      }),
    ),
  'Google consent mode': (answer) => `
    window.dataLayer = window.dataLayer || [];
    function gtag() { dataLayer.push(arguments); }
    gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied', wait_for_update: 500 });
    gtag('js', new Date());
    gtag('consent', 'update', { ad_storage: 'denied', analytics_storage: '${answer === 'yes' ? 'granted' : 'denied'}' });`,
};

function setCookie(name: string | undefined, value: string): string {
  return `document.cookie = ${JSON.stringify(`${name}=${value}`)}`;
}

function setItem(key: string | undefined, value: unknown): string {
  return `localStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(value))})`;
}

/** spec: popup-forms, Consent rules. Each preset of the dashboard, on what its banner really leaves. */
export function consentPresetScenarios(stage: () => Stage): void {
  describe('a consent preset of the dashboard', () => {
    it.each(CONSENT_PRESETS.map((preset) => [preset.name, preset] as const))('%s', async (name, preset) => {
      const { cookie } = preset.source;
      const source = { ...preset.source, ...(preset.hasOwnEnding && { cookie: `${cookie}12345678` }) };
      const counted = await atOnce(['yes', 'no'] as const, async (answer) => {
        const visit = await stage().visit({
          popup: { trigger: 'delay', delayMs: 2000, trackingConsent: source },
          init: LEFT[name]?.(answer, source) ?? 'throw new Error("what the banner leaves is missing here")',
        });
        await visit.pass(2000);
        await visit.expectOpen();
        await visit.settle();
        return [visit.counted, visit.problems];
      });
      expect(counted).toEqual([
        [['shown'], []],
        [[], []],
      ]);
    });
  });
}
