import type { Popup } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import { GUARD_MS, scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';
import { openSoon, pressEscape, SOON } from '../popup-visit.ts';

const PAGE = '<h1>x</h1><button id="buy">buy</button><div style="height:3000px"></div>';
/** A browser without the Navigation API, such as Firefox before 2026. */
const WITHOUT_NAVIGATION = 'delete window.navigation;';
const BROWSERS = [
  ['the Navigation API', ''],
  ['no Navigation API', WITHOUT_NAVIGATION],
] as const;

/** docs/reference/embed.md#single-page-apps */
export function singlePageScenarios(fixture: () => Fixture): void {
  const visit = async (popup: Popup, init: string, options: VisitOptions = {}) => {
    const one = await fixture().visit({ popup, body: PAGE, init, ...options });
    // In browsers without the API, a chunk loads.
    await one.page.waitForLoadState('networkidle');
    return one;
  };
  const go = ({ page }: Visit, url: string) => page.evaluate((to) => history.pushState(null, '', to), url);
  const runMicrotasks = ({ page }: Visit) => page.evaluate(() => Promise.resolve());

  describe.each(BROWSERS)('client-side navigation, with %s', (_, init) => {
    it('arms and disarms by the rules for the page', async () => {
      const one = await visit({ ...SOON, pages: { include: ['/pricing'] } }, init);
      await one.pass(1000);
      await go(one, '/about');
      await one.pass(1000);
      await one.expectClosed();
      await go(one, '/pricing?from=about#top');
      await go(one, '/about');
      await one.pass(1000);
      await one.expectClosed();
      await go(one, '/pricing');
      await runMicrotasks(one);
      await openSoon(one);
      expect(one.counted).toEqual(['shown']);
    });

    it('closes a popup that may not be on the page, without counting it', async () => {
      const popup: Popup = { ...SOON, pages: { exclude: ['/checkout'] }, frequencyDays: 0 };
      const one = await visit(popup, init);
      await openSoon(one);
      await go(one, '/other');
      expect(await one.isOpen()).toBe(true);
      await go(one, '/checkout');
      expect(await one.isOpen()).toBe(false);
      // The frequency cap began when it opened.
      await go(one, '/');
      await one.pass(1000);
      await one.expectClosed();
      expect(one.counted).toEqual(['shown']);
      // The visitor asked for this one.
      await one.page.evaluate(`SvcForms.open('${one.form.id}')`);
      await one.expectOpen();
      await go(one, '/checkout');
      expect(await one.isOpen()).toBe(true);
    });

    it('starts the time on the page and the arming guard again, but not for a query or hash', async () => {
      const one = await visit({ trigger: 'delay', delayMs: 10_000 }, init);
      await one.pass(9000);
      await go(one, '/next');
      await one.pass(9000);
      await one.expectClosed();
      await go(one, '/next?tab=2#part');
      await one.page.evaluate(() => history.replaceState(null, '', '/next?tab=3'));
      await one.pass(1500);
      await one.expectOpen();
      const scrolled = await visit({ trigger: 'visible', selector: '#buy' }, init);
      await scrolled.pass(GUARD_MS - 2000);
      await go(scrolled, '/next');
      await scrolled.pass(GUARD_MS - 2000);
      await scrolled.expectClosed();
      await scrolled.pass(3000);
      await scrolled.expectOpen();
    });

    it('arms again after the back button', async () => {
      const one = await visit({ ...SOON, pages: { include: ['/'] } }, init, { path: '/' });
      await go(one, '/about');
      await one.pass(1000);
      await one.expectClosed();
      await one.page.goBack();
      await runMicrotasks(one);
      await openSoon(one);
    });

    it('arms a trigger that was used up again, and opens once per click', async () => {
      const one = await visit({ trigger: 'click', selector: '#buy', frequencyDays: 30, maxShows: 1 }, init);
      for (let n = 0; n < 5; n++) await go(one, `/page-${n}`);
      await one.page.click('#buy');
      await one.expectOpen();
      await pressEscape(one);
      await go(one, '/page-9');
      await one.page.click('#buy');
      await one.expectClosed();
      expect(one.counted).toEqual(['shown']);
    });

    it('leaves no listener or observer of the pages before', async () => {
      const one = await visit(
        { trigger: 'exit' },
        `${init}
        window.balance = {};
        for (const [name, by] of [['addEventListener', 1], ['removeEventListener', -1]]) {
          const method = EventTarget.prototype[name];
          EventTarget.prototype[name] = function (type, ...rest) {
            if (this === window || this === document) balance[type] = (balance[type] ?? 0) + by;
            return method.call(this, type, ...rest);
          };
        }`,
      );
      const balance = () => one.page.evaluate('({ ...balance })');
      await one.pass(GUARD_MS + 1000);
      const before = await balance();
      for (let n = 0; n < 10; n++) {
        await go(one, `/page-${n}`);
        await runMicrotasks(one);
        await one.pass(GUARD_MS + 1000);
      }
      expect(await balance()).toEqual(before);
    });
  });

  it.each([
    ['element', WITHOUT_NAVIGATION, '<nav id="navigation"></nav>'],
    ['function', '', '<script>function navigation() {}</script>'],
    ['variable', '', '<script>var navigation = { items: [] };</script>'],
  ])('follows the path on a page whose %s is called navigation', async (_, init, html) => {
    const popup: Popup = { ...SOON, pages: { include: ['/pricing'] } };
    const one = await visit(popup, init, { body: `${html}${PAGE}` });
    await go(one, '/pricing');
    await runMicrotasks(one);
    await openSoon(one);
    expect(one.problems).toEqual([]);
  });

  it('does not show an inline form whose view was left while it loaded', async () => {
    const one = await fixture().visit({ body: '<h1>x</h1>', tags: () => '', isUnarmed: true });
    const { page, form, viewed } = one;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/embed/forms/*', async (route) => {
      await isReleased;
      await route.continue();
    });
    const enter = (view: string) =>
      page.evaluate(
        ([id, src, formId]) => {
          const main = document.createElement('main');
          const tag = document.createElement('script');
          tag.src = String(src);
          tag.setAttribute('data-svc-form-id', String(formId));
          main.id = String(id);
          main.append(tag);
          document.querySelector('main')?.remove();
          document.body.append(main);
        },
        [view, `${fixture().baseUrl}/embed.js`, form.id],
      );
    const isRequested = page.waitForRequest(`**/embed/forms/${form.id}.json`);
    await enter('one');
    await isRequested;
    await enter('two');
    release();
    await page.waitForSelector('#two svc-form form');
    expect(await page.locator('svc-form').count()).toBe(1);
    expect(viewed).toEqual([form.id]);
  });

  it('shows an inline form whose loader removes the tag as soon as it has run', async () => {
    const { page, form } = await fixture().visit({ body: '<h1>x</h1>', tags: () => '', isUnarmed: true });
    await page.evaluate(
      ([src, formId]) => {
        const tag = document.createElement('script');
        tag.src = String(src);
        tag.setAttribute('data-svc-form-id', String(formId));
        tag.addEventListener('load', () => tag.remove());
        document.body.append(tag);
      },
      [`${fixture().baseUrl}/embed.js`, form.id],
    );
    await page.waitForSelector('svc-form form');
    expect(await page.locator('script').count()).toBe(0);
  });

  it('shows one inline form where a tool runs the tag again, or inserts a copy of the page', async () => {
    const { page } = await fixture().visit({
      body: '<h1>x</h1>',
      tags: ({ id }, base) => `<footer>${scriptTag(base, `data-svc-form-id="${id}"`)}</footer>`,
      fakeClock: false,
      isUnarmed: true,
    });
    await page.fill('svc-form input[type=email]', 'ada@example.com');
    /** Until the form of the new tag is shown. */
    const runAgain = (isCopied: boolean) =>
      page.evaluate(async (isCopy) => {
        const shown = new Promise((resolve) =>
          document.addEventListener('svc:shown', resolve, { once: true }),
        );
        const footer = document.querySelector('footer') as HTMLElement;
        // Copies have no shadow roots.
        if (isCopy) footer.replaceWith(footer.cloneNode(true));
        const old = document.querySelector('footer script') as HTMLScriptElement;
        const tag = document.createElement('script');
        for (const { name, value } of old.attributes) tag.setAttribute(name, value);
        old.replaceWith(tag);
        await shown;
      }, isCopied);
    for (const isCopied of [false, true]) {
      await runAgain(isCopied);
      expect(await page.locator('svc-form').count()).toBe(1);
      expect(await page.inputValue('svc-form input[type=email]')).toBe('ada@example.com');
    }
    const other = (await fixture().visit({ tags: () => '' })).form;
    await page.evaluate(
      ([src, id]) => {
        const tag = document.createElement('script');
        tag.src = String(src);
        tag.setAttribute('data-svc-form-id', String(id));
        document.querySelector('footer script')?.after(tag);
      },
      [`${fixture().baseUrl}/embed.js`, other.id],
    );
    // A form of another tag between a tag and its form replaces nothing.
    await page.waitForFunction(() => document.querySelectorAll('svc-form').length === 2);
  });

  it('frees the view of an inline form that was left', async () => {
    const { page, context, form } = await fixture().visit({
      body: '<h1>x</h1>',
      tags: () => '',
      isUnarmed: true,
    });
    const enter = () =>
      page.evaluate(
        ([src, formId]) => {
          const view = document.createElement('main');
          const tag = document.createElement('script');
          tag.src = String(src);
          tag.setAttribute('data-svc-form-id', String(formId));
          view.append(tag);
          document.querySelector('main')?.remove();
          document.body.append(view);
          const refs = window as unknown as { left?: WeakRef<Element>; view?: WeakRef<Element> };
          refs.left = refs.view;
          refs.view = new WeakRef(view);
        },
        [`${fixture().baseUrl}/embed.js`, form.id],
      );
    await enter();
    await page.locator('svc-form form').waitFor();
    await enter();
    await page.locator('svc-form form').waitFor();
    const session = await context.newCDPSession(page);
    const isFreed = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return page.evaluate('!left.deref()');
    };
    await poll(isFreed, { what: 'the end of the view that was left' });
  });

  it('does not open a popup whose page was left while its code loaded', async () => {
    const one = await visit({ ...SOON, pages: { include: ['/'] } }, '');
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await one.page.route('**/embed/ui.*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await one.pass(1000);
    await go(one, '/about');
    release();
    await one.expectClosed();
    expect(one.counted).toEqual([]);
  });
}
