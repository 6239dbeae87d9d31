import type { Popup } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import { atOnce } from '../at-once.ts';
import { leaveByTop, moveOutOfTop } from '../gestures.ts';
import { submitEmail } from '../popup-visit.ts';
import { GUARD_MS, scriptTag, type Fixture } from '../fixture.ts';

type Source = NonNullable<Popup['trackingConsent']>;
const DELAY = { trigger: 'delay', delayMs: 2000 } as const;

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const packed = (text: string) => encodeURIComponent(text);
const cookie = (name: string, value: string) => `document.cookie = ${JSON.stringify(`${name}=${value}`)}`;
const local = (name: string, value: unknown) =>
  `localStorage.setItem('${name}', ${JSON.stringify(JSON.stringify(value))})`;
const session = (name: string, value: string) =>
  `sessionStorage.setItem('${name}', ${JSON.stringify(value)})`;
const layer = (...commands: string[]) =>
  `window.dataLayer = []; function gtag() { dataLayer.push(arguments); } ${commands.join(';')}`;

/** docs/reference/popups.md#tracking-consent */
export function consentScenarios(fixture: () => Fixture): void {
  /** Returns whether the impression is counted, after checking that the popup opens. */
  const isCounted = async (trackingConsent: Source, site: string): Promise<boolean> => {
    const visit = await fixture().visit({ popup: { ...DELAY, trackingConsent }, init: site });
    await visit.pass(2000);
    await visit.expectOpen();
    await visit.waitForUi();
    return visit.counted.includes('shown');
  };

  describe('consent sources, granted and denied', () => {
    const statistics: Source = { cookie: 'CookieConsent', category: 'statistics' };
    it.each<[string, Source, string, string]>([
      ['cookie', { cookie: 'c' }, cookie('c', 'yes'), cookie('c', 'no')],
      [
        'cookie, among others',
        { cookie: 'c' },
        `${cookie('bc', '0')};${cookie('c', '1')}`,
        `${cookie('bc', '1')};${cookie('c', '0')}`,
      ],
      ['storageKey, local', { storageKey: 'k' }, local('k', true), local('k', false)],
      ['storageKey, session', { storageKey: 'k' }, session('k', 'granted'), session('k', 'denied')],
      [
        'windowPath, over getters, prototypes and functions',
        { windowPath: 'window.a.b.c' },
        'window.a = Object.assign(() => {}, { b: new (class { get c() { return "allow"; } })() })',
        'window.a = Object.assign(() => {}, { b: new (class { get c() { return "deny"; } })() })',
      ],
      [
        'windowPath, a category of a class, frozen and behind a proxy',
        { windowPath: 'a', category: 'stats' },
        'window.a = new Proxy(Object.freeze(new (class { get stats() { return true; } })()), {})',
        'window.a = new Proxy(Object.freeze(new (class { get stats() { return false; } })()), {})',
      ],
      ['windowPath', { windowPath: 'a.b.c' }, 'window.a = {b: {c: "allow"}}', 'window.a = {b: {c: "deny"}}'],
      [
        'consentMode',
        { consentMode: true },
        layer('gtag("consent","default",{analytics_storage:"granted"})'),
        layer('gtag("consent","default",{analytics_storage:"denied"})'),
      ],
      [
        'consentMode, another key',
        { consentMode: 'ad_storage' },
        layer('gtag("consent","update",{ad_storage:"granted",analytics_storage:"denied"})'),
        layer('gtag("consent","update",{ad_storage:"denied",analytics_storage:"granted"})'),
      ],
      [
        'OneTrust, cookie',
        { cookie: 'OptanonConsent', category: 'C0002' },
        cookie('OptanonConsent', 'v=1&groups=C0001%3A1%2CC0002%3A1%2CC0003%3A0&x=2'),
        cookie('OptanonConsent', 'v=1&groups=C0001%3A1%2CC0002%3A0%2CC0003%3A1'),
      ],
      [
        'OneTrust, window',
        { windowPath: 'OnetrustActiveGroups', category: 'C0002' },
        'window.OnetrustActiveGroups = ",C0001,C0002,"',
        'window.OnetrustActiveGroups = ",C0001,"',
      ],
      [
        'Cookiebot, cookie',
        statistics,
        cookie('CookieConsent', packed("{stamp:'x',necessary:true,statistics:true,marketing:false}")),
        cookie('CookieConsent', packed("{stamp:'x',necessary:true,statistics:false,marketing:true}")),
      ],
      [
        'Cookiebot, not needed and declined',
        statistics,
        cookie('CookieConsent', '-1'),
        cookie('CookieConsent', '0'),
      ],
      [
        'Cookiebot, window',
        { windowPath: 'Cookiebot.consent', category: 'statistics' },
        'window.Cookiebot = {consent:{statistics:true}}',
        'window.Cookiebot = {consent:{statistics:false}}',
      ],
      [
        'CookieYes',
        { cookie: 'cookieyes-consent', category: 'analytics' },
        cookie('cookieyes-consent', packed('consent:yes,action:yes,analytics:yes')),
        cookie('cookieyes-consent', packed('consent:yes,action:yes,analytics:no')),
      ],
      [
        'Complianz',
        { cookie: 'cmplz_statistics' },
        cookie('cmplz_statistics', 'allow'),
        cookie('cmplz_statistics', 'deny'),
      ],
      [
        'Klaro, cookie',
        { cookie: 'klaro', category: 'googleAnalytics' },
        cookie('klaro', packed('{"googleAnalytics":true}')),
        cookie('klaro', packed('{"googleAnalytics":false}')),
      ],
      [
        'Klaro, storage',
        { storageKey: 'klaro', category: 'googleAnalytics' },
        local('klaro', { googleAnalytics: true }),
        local('klaro', { googleAnalytics: false }),
      ],
      [
        'tarteaucitron',
        { cookie: 'tarteaucitron', category: 'gtag' },
        cookie('tarteaucitron', '!gtag=true!x=false'),
        cookie('tarteaucitron', '!x=true!gtag=false'),
      ],
      [
        'Usercentrics, settings',
        { storageKey: 'uc_settings', category: 'Analytics' },
        local('uc_settings', {
          services: [
            { id: 'a', name: 'Other', status: false },
            { id: 'b', name: 'Analytics', status: true },
          ],
        }),
        local('uc_settings', { services: [{ id: 'b', name: 'Analytics', status: false }] }),
      ],
      [
        'Usercentrics, consents',
        { storageKey: 'usercentrics', category: 'b' },
        local('usercentrics', { consents: [{ id: 'b', consentStatus: true }] }),
        local('usercentrics', { consents: [{ id: 'b', consentStatus: false }] }),
      ],
      [
        'Osano',
        { windowPath: 'Osano.cm', category: 'analytics' },
        'window.Osano = {cm:{analytics:true}}',
        'window.Osano = {cm:{analytics:"DENY"}}',
      ],
      [
        'Osano, as words',
        { windowPath: 'Osano.cm', category: 'ANALYTICS' },
        'window.Osano = {cm:{ANALYTICS:"ACCEPT"}}',
        'window.Osano = {cm:{ANALYTICS:"DENY"}}',
      ],
      [
        'CookieScript',
        { cookie: 'CookieScriptConsent', category: 'performance' },
        cookie(
          'CookieScriptConsent',
          packed('{"action":"accept","categories":"[\\"strict\\",\\"performance\\"]"}'),
        ),
        cookie('CookieScriptConsent', packed('{"action":"accept","categories":"[\\"strict\\"]"}')),
      ],
      [
        'cookieconsent',
        { cookie: 'cc_cookie', category: 'analytics' },
        cookie('cc_cookie', packed('{"categories":["necessary","analytics"],"services":{"analytics":[]}}')),
        cookie('cc_cookie', packed('{"categories":["necessary"],"services":{"analytics":["a"]}}')),
      ],
      [
        'Didomi',
        { cookie: 'didomi_token', category: 'audience' },
        cookie('didomi_token', base64({ purposes: { consent: { enabled: ['audience'], disabled: [] } } })),
        cookie('didomi_token', base64({ purposes: { consent: { enabled: [], disabled: ['audience'] } } })),
      ],
      [
        'iubenda',
        { cookie: '_iub', category: '4' },
        cookie('_iub', packed('{"purposes":{"1":true,"4":true}}')),
        cookie('_iub', packed('{"purposes":{"1":true,"4":false}}')),
      ],
      [
        'Piwik PRO',
        { cookie: 'ppms', category: 'analytics' },
        cookie('ppms', packed('{"consents":{"analytics":{"status":1}}}')),
        cookie('ppms', packed('{"consents":{"analytics":{"status":0}}}')),
      ],
      [
        'Borlabs',
        { cookie: 'borlabs', category: 'statistics' },
        cookie('borlabs', packed('{"consents":{"statistics":["ga"]}}')),
        cookie('borlabs', packed('{"consents":{"statistics":[]}}')),
      ],
      [
        'CookieFirst',
        { cookie: 'cookiefirst', category: 'performance' },
        cookie('cookiefirst', packed('{"performance":true}')),
        cookie('cookiefirst', packed('{"performance":false}')),
      ],
      [
        'percent-encoded twice',
        { cookie: 'c', category: 'a' },
        cookie('c', packed(packed('{"a":"yes"}'))),
        cookie('c', packed(packed('{"a":"no"}'))),
      ],
      [
        'percent-encoded once, with percent signs of its own',
        { cookie: 'c', category: 'a' },
        cookie('c', packed('{"a":true,"note":"100%"}')),
        cookie('c', packed('{"a":false,"note":"100%"}')),
      ],
      [
        'JSON inside a string',
        { storageKey: 'k', category: 'a' },
        local('k', JSON.stringify({ a: 'opt-in' })),
        local('k', JSON.stringify({ a: 'opt-out' })),
      ],
    ])('%s', async (_, source, yes, no) => {
      expect(await atOnce([yes, no], (site) => isCounted(source, site))).toEqual([true, false]);
    });

    it('counts when consent is absent or unreadable', async () => {
      const cases: [string, Source, string][] = [
        ['a missing cookie', { cookie: 'c' }, ''],
        ['an unknown word', { cookie: 'c' }, cookie('c', 'perhaps')],
        ['a window path without a value', { windowPath: 'a.b' }, 'window.a = null'],
        [
          'a function, which is never called',
          { windowPath: 'a.b' },
          'window.a = {b() { throw new Error("called"); }}',
        ],
        [
          'a getter that throws',
          { windowPath: 'a.b' },
          'window.a = {get b() { throw new Error("getter"); }}',
        ],
        [
          'an object with circular references',
          { windowPath: 'document', category: 'none' },
          'document.self = document; document.all2 = [window, document]',
        ],
        [
          'CookieYes, without a choice yet',
          { cookie: 'c', category: 'analytics' },
          cookie('c', packed('consent:no,action:,analytics:no')),
        ],
        ['tarteaucitron, waiting', { cookie: 'c', category: 'x' }, cookie('c', '!gtag=false!x=wait')],
        ['a missing category', { cookie: 'c', category: 'x' }, cookie('c', packed('{"y":false}'))],
        [
          'a name that ends another name',
          { cookie: 'c', category: 'tics' },
          cookie('c', packed('{statistics:false}')),
        ],
      ];
      const counted = await atOnce(cases, async ([what, source, site]) => [
        what,
        await isCounted(source, site),
      ]);
      expect(counted).toEqual(cases.map(([what]) => [what, true]));
    });

    it('uses the first source that has a value', async () => {
      const source: Source = { cookie: 'c', storageKey: 'k', windowPath: 'w', consentMode: true };
      const denied = layer('gtag("consent","default",{analytics_storage:"denied"})');
      const sites = [
        `${cookie('c', 'no')};${local('k', 'yes')};window.w='yes'`,
        `${local('k', 'yes')};window.w='no';${denied}`,
        `window.w='no'`,
        denied,
      ];
      const counted = await atOnce(sites, (site) => isCounted(source, site));
      expect(counted).toEqual([false, true, false, false]);
    });
  });

  describe('the dataLayer source', () => {
    it('skips a region-scoped default and uses the last command with the key', async () => {
      const cases: [what: string, commands: string, counted: boolean][] = [
        [
          'a region-scoped default is skipped',
          'gtag("consent","default",{analytics_storage:"denied",region:["DE"]})',
          true,
        ],
        [
          '… even after a global one',
          'gtag("consent","default",{analytics_storage:"granted"});gtag("consent","default",{analytics_storage:"denied",region:["DE"]})',
          true,
        ],
        [
          'the last command with the key wins',
          'gtag("consent","default",{analytics_storage:"granted"});gtag("consent","update",{analytics_storage:"denied"})',
          false,
        ],
        [
          'an update without the key changes nothing',
          'gtag("consent","default",{analytics_storage:"denied"});gtag("consent","update",{ad_storage:"granted"})',
          false,
        ],
        ['arrays are accepted', 'dataLayer.push(["consent","default",{analytics_storage:"denied"}])', false],
        [
          'other entries are ignored',
          'dataLayer.push({event:"x"}, null, 3);gtag("js",new Date());gtag("consent","default",{analytics_storage:"denied"})',
          false,
        ],
      ];
      const results = await atOnce(cases, async ([what, commands]) => [
        what,
        commands,
        await isCounted({ consentMode: true }, layer(commands)),
      ]);
      expect(results).toEqual(cases);
    });

    it('keeps a denial that a tag manager has dropped from a long data layer', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, trackingConsent: { consentMode: true } },
        init: layer('gtag("consent","default",{analytics_storage:"denied"})'),
      });
      await visit.page.evaluate('dataLayer.length = 0');
      await visit.pass(2000);
      await visit.expectOpen();
      await visit.waitForUi();
      expect(visit.counted).toEqual([]);
    });

    it('is never defined by the embed', async () => {
      const visit = await fixture().visit({ popup: { ...DELAY, trackingConsent: { consentMode: true } } });
      await visit.pass(5000);
      expect(await visit.page.evaluate(() => 'dataLayer' in window)).toBe(false);
    });
  });

  it('without consent: sends no events, opens the modal, applies the frequency cap, submits the form', async () => {
    const visit = await fixture().visit({
      popup: { ...DELAY, trackingConsent: { cookie: 'c' } },
      init: cookie('c', 'no'),
    });
    await visit.pass(2000);
    await visit.expectOpen();
    await visit.page.fill('input[type=email]', 'ada@example.com');
    await visit.page.click('text=Submit');
    await visit.page.waitForSelector('.done');
    expect(visit.counted).toEqual([]);
    const again = await fixture().visit({ form: visit.form, context: visit.context });
    await again.pass(5000);
    await again.expectClosed();
  });

  it('counts nothing if the part that reads it cannot be loaded', async () => {
    const context = await fixture().newContext();
    await context.route('**/embed/consent.*', (route) => route.abort());
    const visit = await fixture().visit({
      context,
      popup: { trigger: 'click', selector: '#top', trackingConsent: { cookie: 'c' } },
      init: cookie('c', 'no'),
      fakeClock: false,
      isUnarmed: true,
    });
    await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
    await visit.expectOpen();
    await submitEmail(visit);
    expect(visit.counted).toEqual([]);
  });

  describe('consent that changes while the page is open', () => {
    const source = { cookie: 'c' };

    it('withdrawn before the popup opens: triggers are dropped, even on other signals', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: source },
        init: `document.cookie.includes('c=') || (${cookie('c', 'yes')})`,
      });
      await visit.pass(GUARD_MS);
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(1100);
      await visit.page.evaluate(() => void (document.cookie = 'c=yes'));
      await leaveByTop(visit);
      await visit.expectClosed();
    });

    it('withdrawn while a departure is pending: nothing opens', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', mouseLeaveDelayMs: 5000, trackingConsent: source },
        init: cookie('c', 'yes'),
      });
      await visit.pass(GUARD_MS);
      await moveOutOfTop(visit.page);
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(10_000);
      await visit.expectClosed();
    });

    it('denied on later page loads: opens and counts nothing, even after consent returns', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, trackingConsent: source },
        init: `document.cookie.includes('c=') || (${cookie('c', 'yes')})`,
      });
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(1100);
      await visit.page.evaluate(() => void (document.cookie = 'c=yes'));
      const again = await fixture().visit({ form: visit.form, context: visit.context });
      await again.pass(2100);
      await again.expectOpen();
      await again.waitForUi();
      expect(again.counted).toEqual([]);
    });

    it.each([
      ['unchanged', ''],
      [
        'with localStorage full',
        'Storage.prototype.setItem = ((set) => function (...pair) { if (this === localStorage) throw new Error("full"); set.apply(this, pair); })(Storage.prototype.setItem)',
      ],
      [
        'with localStorage blocked',
        'Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked"); } })',
      ],
    ])('is remembered across pages for every form of the site, storages %s', async (_, storages) => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: source },
        init: `${storages};document.cookie.includes('c=') || (${cookie('c', 'yes')})`,
      });
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(1100);
      await visit.page.evaluate(() => void (document.cookie = 'c=yes'));
      await visit.pass(GUARD_MS);
      await leaveByTop(visit);
      await visit.expectClosed();
      // Opens another form on the next page of the same visit.
      const { form } = await fixture().visit({
        popup: { ...DELAY, trackingConsent: source },
        tags: () => '',
      });
      const { page, site } = visit;
      site.put({
        html: `<!doctype html><body><h1>x</h1>${scriptTag(fixture().baseUrl, `data-svc-form-id="${form.id}"`)}`,
      });
      const hasReader = page.waitForResponse(
        (response) => /\/embed\/consent/.test(response.url()) || response.url().endsWith(`${form.id}.json`),
      );
      await page.goto(`${site.url}/second`);
      await hasReader;
      await page.evaluate(`SvcForms.open('${form.id}')`);
      await visit.expectOpen();
      await page.fill('svc-form input[type=email]', 'ada@example.com');
      await page.click('.primary');
      await page.waitForSelector('.done');
      await visit.waitForUi();
      expect(visit.counted).toEqual([]);
    });

    it('stops another form on the same page', async () => {
      const other = (
        await fixture().visit({ popup: { ...DELAY, trackingConsent: { cookie: 'd' } }, tags: () => '' })
      ).form;
      const visit = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: source },
        init: cookie('c', 'yes'),
        tags: (form, base) =>
          [form.id, other.id]
            .map((id) => scriptTag(base, `data-svc-form-id="${id}" data-svc-trigger="click:h1"`))
            .join(''),
      });
      await poll(() => visit.requests.includes(`GET /embed/forms/${other.id}.json`), {
        what: 'the other form',
      });
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(2100);
      await visit.page.click('h1');
      await visit.expectClosed();
      await visit.page.evaluate(`SvcForms.open('${other.id}')`);
      await visit.expectOpen();
      await visit.waitForUi();
      expect(visit.counted).toEqual([]);
    });

    it('denied at page load is no withdrawal, whatever an earlier page read', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, trackingConsent: source },
        init: cookie('c', 'yes'),
      });
      const again = await fixture().visit({
        form: visit.form,
        context: visit.context,
        init: cookie('c', 'no'),
      });
      await again.page.evaluate(() => void (document.cookie = 'c=yes'));
      await again.pass(2100);
      await again.expectOpen();
      await again.waitForUi();
      expect(again.counted).toEqual(['shown']);
    });

    it('withdrawn while a modal is open: the modal and its input stay and can be submitted', async () => {
      const visit = await fixture().visit({
        popup: { ...DELAY, trackingConsent: source },
        init: cookie('c', 'yes'),
      });
      await visit.pass(2000);
      await visit.expectOpen();
      await visit.page.fill('input[type=email]', 'ada@example.com');
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(1500);
      expect(await visit.page.inputValue('input[type=email]')).toBe('ada@example.com');
      await visit.page.click('text=Submit');
      await visit.page.waitForSelector('.done');
      await visit.waitForUi();
      expect(visit.counted).toEqual(['shown']);
    });

    it('absent, then denied is no withdrawal: stays armed, and consent later counts again', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: source, decline: { enabled: true } },
      });
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(GUARD_MS + 1000);
      await leaveByTop(visit);
      await visit.expectOpen();
      await visit.waitForUi();
      expect(visit.counted).toEqual([]);
      await visit.page.evaluate(() => void (document.cookie = 'c=yes'));
      await visit.page.click('text=No thanks');
      await visit.waitForUi();
      expect(visit.counted).toEqual(['declined']);
    });

    it('is not read or polled for a form that names no source', async () => {
      const init = () => {
        const found = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
        (window as never as { reads: number }).reads = 0;
        Object.defineProperty(Document.prototype, 'cookie', {
          configurable: true,
          get(this: Document) {
            (window as never as { reads: number }).reads++;
            return found?.get?.call(this) as string;
          },
        });
      };
      const reads = () => (window as never as { reads: number }).reads;
      const silent = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: { category: 'x' } },
        init,
      });
      await silent.pass(10_000);
      expect(await silent.page.evaluate(reads)).toBe(0);
      expect(silent.requests.join()).not.toContain('consent');
      const polling = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: { cookie: 'c' } },
        init,
      });
      await polling.pass(10_000);
      expect(await polling.page.evaluate(reads)).toBeGreaterThanOrEqual(9);
      expect(await polling.page.evaluate(reads)).toBeLessThanOrEqual(13);
    });
  });
}
