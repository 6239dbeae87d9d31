import {
  CONSENT_PRESETS,
  type ConsentPreset,
} from '../../../dashboard/src/screens/form/display/consent-presets.ts';
import { atOnce } from '../at-once.ts';
import type { Fixture } from '../fixture.ts';

type Choice = 'yes' | 'no';

const packed = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

/**
 * The cookie, storage entry or window object that each consent manager's own script writes after
 * this choice.
 */
const STATE_AFTER: Readonly<Record<string, (choice: Choice, source: ConsentPreset['source']) => string>> = {
  OneTrust: (choice, { cookie }) =>
    setCookie(
      cookie,
      `isGpcEnabled=0&datestamp=Sat+Mar+14+2026&version=202501.2.0&browserGpcFlag=0&isIABGlobal=false&hosts=&consentId=5a1c&interactionCount=1&landingPath=NotLandingPage&groups=C0001%3A1%2CC0002%3A${choice === 'yes' ? 1 : 0}%2CC0003%3A${choice === 'yes' ? 0 : 1}`,
    ),
  Cookiebot: (choice, { cookie }) =>
    setCookie(
      cookie,
      `{stamp:%27a1b2c3==%27%2Cnecessary:true%2Cpreferences:${choice === 'no'}%2Cstatistics:${choice === 'yes'}%2Cmarketing:${choice === 'no'}%2Cmethod:%27explicit%27%2Cver:1%2Cutc:1773480413589%2Cregion:%27de%27}`,
    ),
  CookieYes: (choice, { cookie }) =>
    setCookie(
      cookie,
      `consentid:YWJj,consent:yes,action:yes,necessary:yes,functional:yes,analytics:${choice},performance:yes,advertisement:no`,
    ),
  Complianz: (choice, { cookie }) => setCookie(cookie, choice === 'yes' ? 'allow' : 'deny'),
  Klaro: (choice, { cookie }) =>
    setCookie(cookie, packed({ session: true, googleAnalytics: choice === 'yes' })),
  tarteaucitron: (choice, { cookie }) =>
    setCookie(cookie, `!youtube=${choice === 'no'}!gtag=${choice === 'yes'}!recaptcha=wait`),
  'Usercentrics (uc_settings)': (choice, { storageKey }) =>
    setItem(storageKey, {
      controllerId: 'c1',
      id: 'settings',
      language: 'en',
      services: [
        { history: [], id: 'x', name: 'Other', processorId: 'p', status: choice === 'no' },
        {
          history: [{ action: 'onUpdateServices', status: true }],
          id: 'y',
          name: 'Google Analytics',
          status: choice === 'yes',
        },
      ],
      version: '1.0.0',
    }),
  'Usercentrics (usercentrics)': (choice, { storageKey }) =>
    setItem(storageKey, {
      consents: [
        { templateId: 'x', id: 'x', name: 'Other', consentStatus: choice === 'no' },
        { templateId: 'y', id: 'y', name: 'Google Analytics', consentStatus: choice === 'yes' },
      ],
    }),
  // The loader is a function that queues calls; the consent manager has getters on its class and a
  // dialog.
  Osano: (choice) => `
    class ConsentManager {
      #consent = { ESSENTIAL: 'ACCEPT', ANALYTICS: '${choice === 'yes' ? 'ACCEPT' : 'DENY'}', MARKETING: '${choice === 'yes' ? 'DENY' : 'ACCEPT'}' };
      constructor() { this.self = this; this.root = document; this.mode = 'production'; }
      get analytics() { return this.#consent.ANALYTICS === 'ACCEPT'; }
      get marketing() { return this.#consent.MARKETING === 'ACCEPT'; }
      getConsent() { throw new Error('called'); }
      showDialog() { throw new Error('called'); }
    }
    window.Osano = function () { (window.Osano.data = window.Osano.data || []).push(arguments); };
    Object.defineProperty(window.Osano, 'cm', { get: ((cm) => () => cm)(Object.freeze(new ConsentManager())) });`,
  CookieScript: (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        bannershown: 1,
        action: choice === 'yes' ? 'accept' : 'reject',
        consenttime: 1_773_480_413,
        categories: choice === 'yes' ? '["strict","performance"]' : '[]',
        key: 'k',
      }),
    ),
  cookieconsent: (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        categories: choice === 'yes' ? ['necessary', 'analytics'] : ['necessary'],
        revision: 0,
        data: null,
        consentTimestamp: '2026-03-14T09:26:53.589Z',
        services: { necessary: [], analytics: choice === 'yes' ? ['ga'] : [] },
      }),
    ),
  Didomi: (choice, { cookie }) =>
    setCookie(
      cookie,
      base64({
        user_id: 'u',
        vendors: { enabled: ['google'], disabled: [] },
        purposes:
          choice === 'yes'
            ? { enabled: ['analytics'], disabled: [] }
            : { enabled: [], disabled: ['analytics'] },
        version: 2,
      }),
    ),
  iubenda: (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        timestamp: '2026-03-14T09:26:53.589Z',
        version: '1.70.0',
        purposes: {
          1: true,
          2: choice === 'no',
          3: choice === 'no',
          4: choice === 'yes',
          5: choice === 'no',
        },
        id: 12345678,
        cons: { rand: 'a1b2' },
      }),
    ),
  'Piwik PRO': (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        visitorId: 'v',
        domain: { normalized: 'x', isWildcard: false, pattern: 'x' },
        consents: {
          remarketing: { status: choice === 'yes' ? 0 : 1 },
          analytics: { status: choice === 'yes' ? 1 : 0 },
        },
        staleCheckpoint: '2026-03-14T09:26:53.589Z',
      }),
    ),
  Borlabs: (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        // Groups without consent are omitted.
        consents: {
          essential: ['borlabs-cookie'],
          ...(choice === 'yes' && { statistics: ['google-analytics'] }),
        },
        domainPath: 'x/',
        uid: 'anonymous',
        version: '1',
      }),
    ),
  CookieFirst: (choice, { cookie }) =>
    setCookie(
      cookie,
      packed({
        necessary: true,
        performance: choice === 'yes',
        functional: true,
        advertising: choice === 'no',
        type: 'category',
      }),
    ),
  'Google consent mode': (choice) => `
    window.dataLayer = window.dataLayer || [];
    function gtag() { dataLayer.push(arguments); }
    gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied', wait_for_update: 500 });
    gtag('js', new Date());
    gtag('consent', 'update', { ad_storage: 'denied', analytics_storage: '${choice === 'yes' ? 'granted' : 'denied'}' });`,
};

function setCookie(name: string | undefined, value: string): string {
  return `document.cookie = ${JSON.stringify(`${name}=${value}`)}`;
}

function setItem(key: string | undefined, value: unknown): string {
  return `localStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(value))})`;
}

/**
 * Each preset of the dashboard must read what its consent manager writes:
 * docs/reference/popups.md#consent-values
 */
export function consentPresetScenarios(fixture: () => Fixture): void {
  describe('a consent preset of the dashboard', () => {
    it.each(CONSENT_PRESETS.map((preset) => [preset.name, preset] as const))('%s', async (name, preset) => {
      const { cookie } = preset.source;
      const source = { ...preset.source, ...(preset.hasOwnEnding && { cookie: `${cookie}12345678` }) };
      const counted = await atOnce(['yes', 'no'] as const, async (choice) => {
        const visit = await fixture().visit({
          popup: { trigger: 'delay', delayMs: 2000, trackingConsent: source },
          init: STATE_AFTER[name]?.(choice, source) ?? 'throw new Error("no state for this preset")',
        });
        await visit.pass(2000);
        await visit.expectOpen();
        await visit.waitForUi();
        return [visit.counted, visit.problems];
      });
      expect(counted).toEqual([
        [['shown'], []],
        [[], []],
      ]);
    });
  });
}
