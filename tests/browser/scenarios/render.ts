import { poll } from '@svcforms/test-kit';
import { BEHIND, showTab } from '../gestures.ts';
import { scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

const UNKNOWN = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const PAGE = '<h1>x</h1><div id="here"></div><div id="there"></div>';
/** The stub of docs/reference/embed.md#before-the-script-has-loaded */
const STUB = `window.SvcForms ??= {
  calls: [],
  render(...args) {
    const call = { args, destroy() { call.isOver = true } };
    this.calls.push(call);
    return call;
  },
};`;

/** docs/reference/embed.md#render-a-form */
export function renderScenarios(fixture: () => Fixture): void {
  const visit = (options: VisitOptions = {}) =>
    fixture().visit({ body: PAGE, tags: (_, base) => scriptTag(base, ''), fakeClock: false, ...options });
  const render = ({ page, form }: Visit, selector: string, options = '{}', id = form.id) =>
    page.evaluate(
      `void ((window.handles ??= []).push(SvcForms.render(document.querySelector('${selector}'), '${id}', ${options})))`,
    );
  const destroy = ({ page }: Visit, index: number) => page.evaluate(`handles[${index}].destroy()`);
  const countIn = ({ page }: Visit, selector: string) => page.locator(`${selector} svc-form`).count();
  const shown = (one: Visit, selector: string) =>
    poll(async () => (await countIn(one, selector)) === 1, { what: `the form in ${selector}` });

  describe('SvcForms.render', () => {
    it('shows a form once in each element, which a visitor can submit, and destroy removes it', async () => {
      const one = await visit();
      await render(one, '#here');
      await render(one, '#here');
      await shown(one, '#here');
      await render(one, '#here');
      await render(one, '#there');
      await shown(one, '#there');
      expect([await countIn(one, '#here'), await countIn(one, '#there')]).toEqual([1, 1]);
      await one.page.fill('#here input[type=email]', 'ada@example.com');
      await one.page.click('#here .primary');
      await one.page.waitForSelector('#here .done');
      await destroy(one, 0);
      await destroy(one, 0);
      expect(await one.page.evaluate('here.innerHTML')).toBe('');
      expect(await countIn(one, '#there')).toBe(1);
      await render(one, '#here');
      await shown(one, '#here');
      expect(one.problems).toEqual([]);
    });

    it.each(['null', 'undefined', `'#here'`])('says that %s is no element', async (element) => {
      const one = await visit();
      await one.page.evaluate(`SvcForms.render(${element}, '${one.form.id}', null).destroy()`);
      await one.page.evaluate(`SvcForms.render(${element}, '${one.form.id}', null)`);
      await render(one, '#here', 'null');
      await shown(one, '#here');
      const warning = `warning: SvcForms: render needs an element in the page for ${one.form.id} but got ${element.replaceAll("'", '')}`;
      expect(one.problems).toEqual([warning]);
    });

    it.each(['document', 'window', 'new Text()', 'new FormData()', '[here]'])(
      'says that %s is no element',
      async (target) => {
        const one = await visit();
        await one.page.evaluate(`SvcForms.render(${target}, '${one.form.id}').destroy()`);
        await one.page.evaluate(`SvcForms.render(${target}, '${one.form.id}', { page: null })`);
        await render(one, '#here', '{ page: null }');
        await shown(one, '#here');
        expect(one.problems).toEqual([
          expect.stringContaining(
            `warning: SvcForms: render needs an element in the page for ${one.form.id} but got `,
          ),
        ]);
        expect(await one.page.locator('[data-svc-page]').count()).toBe(0);
      },
    );

    it('shows nothing for a missing id, such as one that an app is still loading', async () => {
      const one = await visit();
      const response = one.page.waitForResponse((sent) => sent.url().endsWith('/undefined.json'));
      await one.page.evaluate('void SvcForms.render(here)');
      await response;
      await render(one, '#here');
      await shown(one, '#here');
      expect(one.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    });

    it('shows nothing if it is destroyed before the form has loaded', async () => {
      const one = await visit();
      await one.page.evaluate(
        `SvcForms.render(here, '${one.form.id}').destroy(); window.last = SvcForms.render(here, '${one.form.id}')`,
      );
      await shown(one, '#here');
      await one.page.evaluate('last.destroy()');
      expect(await one.page.evaluate('here.innerHTML')).toBe('');
    });

    it('removes a form that a handler destroys as soon as it is shown', async () => {
      const one = await visit();
      await one.page.evaluate(
        `new Promise((resolve) => {
          const handle = SvcForms.render(here, '${one.form.id}');
          document.addEventListener('svc:shown', () => resolve(handle.destroy()), { once: true });
        })`,
      );
      await poll(() => one.page.evaluate(`here.innerHTML === ''`), { what: 'the removal of the form' });
    });

    it('replaces another form, and one that the page has thrown away', async () => {
      const one = await visit();
      const other = await visit({ name: 'Other', tags: () => '' });
      await render(one, '#here');
      await shown(one, '#here');
      await render(one, '#here', '{}', other.form.id);
      await one.page.waitForSelector('#here svc-form >> text=Other');
      expect(await countIn(one, '#here')).toBe(1);
      await one.page.evaluate('here.replaceChildren()');
      await render(one, '#here', '{}', other.form.id);
      await shown(one, '#here');
    });

    it('takes the attributes of a tag as options', async () => {
      const one = await visit({ path: '/?email=ada@example.com' });
      await render(one, '#here', `{ lang: 'de', prefill: true, page: false, dataLayer: 'events' }`);
      await shown(one, '#here');
      expect(await one.page.inputValue('#here input[type=email]')).toBe('ada@example.com');
      expect(await one.page.getAttribute('#here .root', 'lang')).toBe('de');
      await poll(() => one.page.evaluate('window.events?.length'), { what: 'the entry' });
      expect(await one.page.evaluate('events')).toEqual([
        { event: 'svc:shown', formId: one.form.id, placement: 'inline' },
      ]);
    });

    it('does nothing for an unknown form, or an element that is not in the page', async () => {
      const one = await visit();
      await render(one, '#here', '{}', UNKNOWN);
      await one.page.evaluate(
        `window.lost = document.createElement('div'); SvcForms.render(lost, '${one.form.id}')`,
      );
      await poll(() => one.problems.some((problem) => problem.includes('needs an element in the page')), {
        what: 'the warning',
      });
      expect(await one.page.locator('svc-form').count()).toBe(0);
      await destroy(one, 0);
      expect(await one.page.evaluate('here.innerHTML')).toBe('');
    });

    it.each(['**/embed/forms/*', '**/embed/ui.*'])(
      'leaves the element as it was if %s fails to load, so that the page can try again',
      async (path) => {
        const one = await visit();
        let isFailing = true;
        await one.page.route(path, (route) => (isFailing ? route.abort() : route.continue()));
        const isRefused = one.page.waitForEvent('requestfailed');
        await render(one, '#here');
        await isRefused;
        await poll(() => one.page.evaluate(`here.innerHTML === ''`), { what: 'the empty element' });
        isFailing = false;
        await render(one, '#here');
        await shown(one, '#here');
      },
    );

    it('shows nothing, without a warning, if its element is removed while the form is loading', async () => {
      const one = await visit();
      let isRequested = false;
      let goOn = () => {};
      const isRemoved = new Promise<void>((resolve) => (goOn = resolve));
      await one.page.route(`**/embed/forms/${one.form.id}.json`, async (route) => {
        isRequested = true;
        await isRemoved;
        await route.continue();
      });
      await render(one, '#here');
      await poll(() => isRequested, { what: 'the request' });
      await one.page.evaluate('here.remove()');
      const response = one.page.waitForResponse(`**/embed/forms/${one.form.id}.json`);
      goOn();
      await (await response).finished();
      await one.waitForUi();
      expect(await one.page.locator('svc-form').count()).toBe(0);
      expect(one.problems).toEqual([]);
    });

    it('leaves no handler, observer or style behind', async () => {
      const one = await visit({
        init: `window.balance = 0;
          for (const [name, by] of [['addEventListener', 1], ['removeEventListener', -1]]) {
            const method = EventTarget.prototype[name];
            EventTarget.prototype[name] = function (...args) {
              if (this === window || this === document) balance += by;
              return method.apply(this, args);
            };
          }
          for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
            const { observe } = window[name].prototype;
            window[name].prototype.observe = function (...args) { balance++; return observe.apply(this, args); };
          }`,
      });
      const state = () =>
        one.page.evaluate(
          '[balance, document.head.children.length, document.adoptedStyleSheets.length, document.body.outerHTML]',
        );
      const before = await state();
      for (let n = 0; n < 5; n++) {
        await render(one, '#here');
        await shown(one, '#here');
        await destroy(one, n);
      }
      expect(await state()).toEqual(before);
    });

    it.each([
      ['render', ''],
      ['a script tag', 'data-svc-form-id'],
    ])('counts a view of a form in a background tab when the tab is seen: %s', async (_, attribute) => {
      const one = await visit({
        init: BEHIND,
        tags: ({ id }, base) => scriptTag(base, attribute && `${attribute}="${id}"`),
      });
      if (!attribute) await render(one, '#here');
      await shown(one, 'body');
      // Requests are reported in their order.
      const isReported = one.page.waitForRequest('**/embed/after');
      await one.page.evaluate(`fetch('${fixture().baseUrl}/embed/after').catch(() => {}).then(() => {})`);
      await isReported;
      expect(one.viewed).toEqual([]);
      await showTab(one.page);
      await poll(() => one.viewed.length === 1, { what: 'the view' });
      expect(one.viewed).toEqual([one.form.id]);
    });

    it('shows a form in a shadow root', async () => {
      const one = await visit();
      await one.page.evaluate(
        `const root = here.attachShadow({ mode: 'open' });
        root.innerHTML = '<div></div>';
        SvcForms.render(root.firstChild, '${one.form.id}')`,
      );
      await one.page.waitForSelector('#here svc-form form');
    });

    it.each([
      ['an element around its host', '<div id="there"></div>', 'Envoyer'],
      ['the nearest one, inside of the shadow tree', '<div lang="nl"><p id="there"></p></div>', 'Verzenden'],
    ])('in a shadow root in another has the language of %s', async (_, inner, submitLabel) => {
      const one = await visit();
      await one.page.evaluate(
        ([html, formId]) => {
          document.documentElement.lang = 'de';
          const [outer, between] = [document.createElement('div'), document.createElement('div')];
          outer.lang = 'fr';
          document.body.append(outer);
          outer.attachShadow({ mode: 'closed' }).append(between);
          const root = between.attachShadow({ mode: 'open' });
          root.innerHTML = html;
          const { SvcForms } = window as unknown as { SvcForms: { render(...args: unknown[]): void } };
          SvcForms.render(root.querySelector('#there'), formId);
          // So that the test finds what is inside.
          Object.assign(window, { inside: root });
        },
        [inner, one.form.id] as const,
      );
      const text = () =>
        one.page.evaluate<string | undefined>(
          `inside.querySelector('svc-form')?.shadowRoot?.querySelector('.primary')?.textContent`,
        );
      await poll(async () => (await text()) === submitLabel, { what: submitLabel });
    });
  });

  describe('before the script has loaded', () => {
    it('a stub keeps the calls, including those that were destroyed', async () => {
      const one = await visit({ tags: () => '', head: `<script>${STUB}</script>` });
      await render(one, '#here');
      await render(one, '#there');
      await destroy(one, 1);
      await one.page.addScriptTag({ url: `${fixture().baseUrl}/embed.js` });
      await shown(one, '#here');
      await destroy(one, 0);
      expect(await one.page.evaluate('[here.innerHTML, there.innerHTML]')).toEqual(['', '']);
      await render(one, '#there');
      await shown(one, '#there');
    });
  });

  describe('a tag manager', () => {
    /** What a tag manager adds when everything has loaded. */
    const inject = (one: Visit, attributes: Record<string, string>) =>
      one.page.evaluate(
        ([src, more]) => {
          const tag = document.createElement('script');
          tag.src = src;
          tag.async = true;
          for (const [name, value] of Object.entries(more)) tag.setAttribute(name, value);
          document.body.append(tag);
        },
        [`${fixture().baseUrl}/embed.js`, attributes] as const,
      );

    it('can add the script long after the page has loaded', async () => {
      const one = await visit({ tags: () => '' });
      expect(await one.page.evaluate('document.readyState')).toBe('complete');
      await inject(one, { 'data-svc-form-id': one.form.id, 'data-svc-trigger': 'delay:50' });
      await one.expectOpen();
      expect(one.problems).toEqual([]);
    });

    it('can run the script without its tag', async () => {
      const one = await visit({ tags: () => '' });
      const text = await (await fetch(`${fixture().baseUrl}/embed.js`)).text();
      await one.page.evaluate(
        ([src, id, code]) => {
          // Markup that is set doesn't run.
          const holder = document.createElement('div');
          holder.innerHTML = `<script src="${src}" data-svc-form-id="${id}"></script>`;
          document.body.append(holder);
          if (document.currentScript) throw new Error('there is a current script');
          // oxlint-disable-next-line typescript/no-implied-eval -- that is what some tag managers do
          new Function(code)();
        },
        [`${fixture().baseUrl}/embed.js`, one.form.id, text] as const,
      );
      await one.page.waitForSelector('svc-form form');
    });
  });
}
