import type { SubmissionOut } from '@svcforms/contracts';
import { existsSync, readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { describeUnless, poll } from '@svcforms/test-kit';
import { openedVisit, openSoon, pressEscape, SOON, submitEmail } from '../popup-visit.ts';
import { scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

/** jQuery of the Debian package libjs-jquery unless `JQUERY_PATH` is set. */
const jqueryPath = process.env['JQUERY_PATH'] ?? '/usr/share/javascript/jquery/jquery.js';

/** Styles of sites that remove all default styles. */
const UNSET = `<style>* { all: unset !important } .bar { position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; background: red !important }
  ::before, button, input, dialog, form { display: none !important }</style>
  <script>Array.prototype.extra = function () {}; Object.prototype.more = 1;</script>`;

/** A reset like Tailwind's: no margins, no borders, no default styles of headings and controls. */
const RESET = `<style>
  *, ::before, ::after, ::backdrop, ::file-selector-button { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid #e5e7eb }
  html { line-height: 1.5; -webkit-text-size-adjust: 100%; tab-size: 4; font-family: ui-sans-serif, system-ui; -webkit-tap-highlight-color: transparent }
  h1, h2, h3, h4, h5, h6 { font-size: inherit; font-weight: inherit }
  a { color: inherit; text-decoration: inherit }
  ol, ul, menu { list-style: none }
  img, svg, video, canvas, iframe { display: block; vertical-align: middle }
  button, input, select, optgroup, textarea { font: inherit; color: inherit; letter-spacing: inherit; background-color: transparent; border-radius: 0; opacity: 1 }
  ::placeholder { opacity: 1; color: #9ca3af }
  dialog { max-width: none; max-height: none; background: rebeccapurple; color: lime }
  [hidden] { display: none !important }
  </style>`;

/** The custom properties of a page with shadcn/ui, and others with short names. */
const PROPERTIES = `<style>:root { --background: 0 0% 100%; --accent: 210 40% 96.1%; --text: #ddd; --on-accent: red; --radius: 50%; --space: 4; --width: 100%; --font: Papyrus }
  ${['a', 'b', 't', 'r', 's', 'on', 'e', 'm', 'mark', 'line', 'hair', 'soft']
    .map((name) => `@property --${name} { syntax: '<number>'; inherits: false; initial-value: 0 }`)
    .join('')}</style>`;

/** Boxes that a CSS framework draws over its own dialogs. */
const BOXES = `<style>.modal::before, .inline::before { content: ''; position: fixed; inset: 0; background: red }</style>`;

const BODY = `<h1>A page</h1><p id="probe">p <a href="/x">link</a></p><ul><li>item</li></ul>
  <form><input placeholder="search"><select><option>a</option></select><textarea></textarea><button type="button">press</button></form>
  <div class="bar"></div><div style="height:3000px"></div>`;

/**
 * What Prototype.js makes of `Array.from`, which takes no function, and of `remove`, which needs a
 * parent.
 */
const PROTOTYPE = `<script>
  String.prototype.toArray = function () { return this.split(''); };
  Array.from = function (iterable) {
    if (!iterable) return [];
    if ('toArray' in Object(iterable)) return iterable.toArray();
    let { length = 0 } = iterable;
    const results = new Array(length);
    while (length--) results[length] = iterable[length];
    return results;
  };
  Element.prototype.remove = function () {
    this.parentNode.removeChild(this);
    return this;
  };
</script>`;

/** What libraries for smooth scrolling do, such as Lenis. */
const SMOOTH_SCROLLING = `<script>
  addEventListener('wheel', (event) => {
    event.preventDefault();
    scrollTo(0, scrollY + event.deltaY);
  }, { passive: false });
</script>`;

/**
 * Styles and scripts of the page must not affect the modal, nor the reverse:
 * docs/reference/embed.md#modal
 */
export function hostilePageScenarios(fixture: () => Fixture): void {
  const opened = (options?: VisitOptions) => openedVisit(fixture(), options);
  /** The computed styles of every element of the host page. */
  const look = ({ page }: Visit) =>
    page.evaluate(() =>
      [...document.querySelectorAll('body, body *')]
        .filter((element) => element.tagName !== 'SVC-FORM')
        .map((element) => {
          const style = getComputedStyle(element);
          return `${element.tagName} ${[...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(';')}`;
        }),
    );

  describe('a hostile page', () => {
    it.each([
      ['a page that unsets all styles', UNSET],
      ['a page with a CSS reset like Tailwind', RESET],
    ])(
      'is isolated from the styles of the form, and the form from those of the page: %s',
      async (_, head) => {
        const visit = await fixture().visit({ popup: SOON, head, body: BODY });
        const before = await look(visit);
        await openSoon(visit);
        expect(await look(visit)).toEqual(before);
        const box = await visit.page.evaluate(() => {
          const dialog = document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element;
          const { width, x } = dialog.getBoundingClientRect();
          const top = document.elementFromPoint(
            innerWidth / 2,
            dialog.getBoundingClientRect().y + 20,
          )?.tagName;
          return { width, isCentered: Math.abs(x + width / 2 - innerWidth / 2) < 2, top };
        });
        expect(box).toEqual({ width: 464, isCentered: true, top: 'SVC-FORM' });
        await submitEmail(visit);
        await pressEscape(visit);
        expect(await look(visit)).toEqual(before);
        expect(visit.problems).toEqual([]);
      },
    );

    it('renders the form identically on every page', async () => {
      const styles = ({ page }: Visit) =>
        page.evaluate(async () => {
          const shadow = document.querySelector('svc-form')?.shadowRoot as ShadowRoot;
          // The focus fades in.
          await Promise.all(shadow.getAnimations().map(({ finished }) => finished));
          return [...shadow.querySelectorAll('*')].map((element) => {
            const style = getComputedStyle(element);
            return ['font', 'color', 'backgroundColor', 'border', 'margin', 'padding', 'display', 'textAlign']
              .map((name) => style[name as never])
              .join(' | ');
          });
        });
      const plain = await styles(await opened({ body: BODY }));
      expect(plain.length).toBeGreaterThan(10);
      for (const head of [UNSET, RESET, PROPERTIES])
        expect(await styles(await opened({ head, body: BODY }))).toEqual(plain);
    });

    it('has no boxes of its dialogs on popups', async () => {
      const visit = await opened({ head: BOXES, body: BODY, settings: { placement: 'bar' } });
      const topmost = await visit.page.evaluate(() => document.elementFromPoint(20, 20)?.tagName);
      expect(topmost).not.toBe('SVC-FORM');
    });

    it('opens the modal above the dialogs of the page', async () => {
      const visit = await fixture().visit({
        popup: SOON,
        body: '<h1>x</h1><dialog id="own">own<button>in</button></dialog><script>own.showModal()</script>',
      });
      await openSoon(visit);
      await submitEmail(visit);
      await pressEscape(visit);
      expect(await visit.page.evaluate(() => document.querySelector<HTMLDialogElement>('#own')?.open)).toBe(
        true,
      );
    });

    it('keeps its globals (except SvcForms), its history, and the methods of its objects', async () => {
      const globals = () =>
        Object.getOwnPropertyNames(window).filter((name) => !/^\d+$/.test(name) && !name.startsWith('__'));
      const bare = await fixture().visit({ tags: () => '' });
      const before = await bare.page.evaluate(globals);
      const remember = () => {
        const owners = {
          window,
          history,
          EventTarget,
          History,
          Element,
          Node,
          Storage,
          Array,
          Object,
          Promise,
        };
        const methods = new Map(
          Object.values(owners)
            .flatMap((owner) => [owner, (owner as { prototype?: object }).prototype ?? owner])
            .map((owner) => [owner, Object.getOwnPropertyDescriptors(owner)] as const),
        );
        Object.defineProperty(window, '__changed', {
          value: () =>
            [...methods].flatMap(([owner, known]) =>
              Object.entries(Object.getOwnPropertyDescriptors(owner))
                .filter(([name, { value, get }]) => {
                  const { value: knownValue, get: knownGet } =
                    (known as Record<string, PropertyDescriptor>)[name] ?? {};
                  return typeof (value ?? get) === 'function' && (value !== knownValue || get !== knownGet);
                })
                .map(([name]) => name)
                .filter((name) => !name.startsWith('__')),
            ),
        });
      };
      const visit = await opened({ init: remember });
      await submitEmail(visit);
      await pressEscape(visit);
      const after = await visit.page.evaluate(globals);
      expect(after.filter((name) => !before.includes(name))).toEqual(['SvcForms']);
      expect(before.filter((name) => !after.includes(name))).toEqual([]);
      expect(
        await visit.page.evaluate(() =>
          Object.keys((window as never as { SvcForms: object }).SvcForms).sort(),
        ),
      ).toEqual(['close', 'open', 'render']);
      expect(await visit.page.evaluate('__changed()')).toEqual([]);
      expect(await visit.page.evaluate(() => [history.length, history.state])).toEqual([2, null]);
    });

    it('keeps its listeners and gets two of ours', async () => {
      /** Permanent listeners, by the origin of their script. */
      const listeners = async ({ page, context }: Visit, origin: string) => {
        const session = await context.newCDPSession(page);
        const scripts = new Map<string, string>();
        session.on('Debugger.scriptParsed', ({ scriptId, url }) => scripts.set(scriptId, url));
        await session.send('Debugger.enable');
        const found: string[] = [];
        for (const expression of ['window', 'document', 'document.documentElement', 'document.body']) {
          const { result } = await session.send('Runtime.evaluate', { expression });
          const objectId = result.objectId ?? '';
          const response = await session.send('DOMDebugger.getEventListeners', { objectId });
          for (const { type, useCapture, scriptId } of response.listeners) {
            if (scripts.get(scriptId)?.startsWith(origin)) found.push(`${expression} ${type} ${useCapture}`);
          }
        }
        return found.sort();
      };
      const body = `${BODY}<script>for (const target of [window, document, document.body])
        for (const type of ['click', 'keydown', 'scroll', 'mouseout']) target.addEventListener(type, () => {})</script>`;
      const { baseUrl } = fixture();
      const bare = await fixture().visit({ body, tags: () => '' });
      const before = await listeners(bare, bare.site.url);
      expect(before).toHaveLength(12);
      const visit = await opened({ body });
      expect((await listeners(visit, baseUrl)).length).toBeGreaterThanOrEqual(2);
      await submitEmail(visit);
      await pressEscape(visit);
      expect(await listeners(visit, visit.site.url)).toEqual(before);
      expect(await listeners(visit, baseUrl)).toEqual(['document click true', 'document svc:open false']);
    });

    it('adds only its own tag when the script is included twice', async () => {
      const other = (await fixture().visit({ tags: () => '' })).form;
      const visit = await fixture().visit({
        popup: SOON,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}"`) +
          scriptTag(
            `${base.replace('127.0.0.1', 'localhost')}`,
            `data-svc-form-id="${other.id}" data-svc-trigger="delay:100"`,
          ),
      });
      await visit.pass(500);
      await visit.expectOpen();
      expect(await visit.page.locator('svc-form').count()).toBe(1);
    });

    it('reads forms from and submits them to the installation of their tag', async () => {
      const { baseUrl, newContext, visit: visitPage } = fixture();
      const other = (await visitPage({ tags: () => '' })).form;
      const context = await newContext();
      const asked: string[] = [];
      await context.route('https://second.example/**', async (route) => {
        const { pathname } = new URL(route.request().url());
        asked.push(pathname);
        await route.fulfill({ response: await route.fetch({ url: baseUrl + pathname }) });
      });
      const { page, requests } = await visitPage({
        context,
        fakeClock: false,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}"`) +
          scriptTag('https://second.example', `data-svc-form-id="${other.id}"`),
      });
      const second = page.locator('svc-form').nth(1);
      await second.locator('input[type=email]').fill('ada@example.com');
      await second.locator('.primary').click();
      await second.locator('.done').waitFor();
      // The view and the submission are counted.
      await poll(() => asked.length === 5, { what: 'the requests to the second installation' });
      expect(asked).toEqual([
        '/embed.js',
        `/embed/forms/${other.id}.json`,
        `/api/forms/${other.id}/events`,
        `/api/forms/${other.id}/submissions`,
        `/api/forms/${other.id}/events`,
      ]);
      expect(requests.filter((request) => request.includes(other.id))).toEqual([]);
    });

    it('can load the script async, in its head', async () => {
      const visit = await fixture().visit({
        popup: SOON,
        tags: () => '',
        fakeClock: false,
      });
      const base = fixture().baseUrl;
      visit.site.put({
        html: `<!doctype html><html lang="en"><head><title>x</title><script async src="${base}/embed.js" data-svc-form-id="${visit.form.id}"></script></head><body><h1>x</h1></body></html>`,
      });
      await visit.page.reload();
      await visit.expectOpen();
    });
  });

  it('works without an error on a page that is isolated from other origins', async () => {
    const visit = await opened({
      headers: {
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      },
    });
    const isEvent = (request: Request) => request.url().endsWith('/events');
    // The response to an event is blocked after the event was sent.
    const ended = Promise.any([
      visit.page.waitForEvent('requestfinished', { predicate: isEvent }),
      visit.page.waitForEvent('requestfailed', { predicate: isEvent }),
    ]);
    await submitEmail(visit);
    await ended;
    expect(visit.counted).toHaveLength(2);
    expect(visit.problems).toEqual([]);
  });

  it('opens the modal on a click in a form of the page with a control named like a method', async () => {
    const visit = await fixture().visit({
      popup: { trigger: 'click', selector: '#probe' },
      body: '<form><input name="matches"><p id="probe">p</p></form>',
    });
    await visit.page.click('#probe');
    await visit.expectOpen();
    expect(visit.problems).toEqual([]);
  });

  it.each([undefined, 'slide-in', 'fullscreen'] as const)(
    'scrolls a long popup on a page that scrolls itself for each turn of the wheel: placement %s',
    async (placement) => {
      const { page } = await opened({
        head: SMOOTH_SCROLLING,
        fields: Array.from({ length: 20 }, (_, n) => ({ name: `f${n}`, type: 'text', label: `F ${n}` })),
        ...(placement && { settings: { placement } }),
      });
      const dialog = page.locator('svc-form dialog');
      await dialog.hover({ position: { x: 100, y: 300 } });
      await page.mouse.wheel(0, 200);
      await poll(() => dialog.evaluate(({ scrollTop }) => scrollTop > 0), { what: 'the scrolling' });
      expect(await page.evaluate(() => scrollY)).toBe(0);
    },
  );

  it('closes popups that a script removes, and removes forms, on a page with Prototype.js', async () => {
    const visit = await opened({ head: PROTOTYPE, body: `${BODY}<div id="here"></div>` });
    const { page, form } = visit;
    const closed = page.evaluate(
      () => new Promise((resolve) => document.addEventListener('svc:closed', resolve, { once: true })),
    );
    await page.evaluate(() => {
      const host = document.querySelector('svc-form');
      host?.parentNode?.removeChild(host);
    });
    await closed;
    await page.evaluate(
      `shown = SvcForms.render(document.querySelector('#here'), '${form.id}'); document.addEventListener('svc:shown', () => (isShown = true)); isShown = false`,
    );
    await page.waitForFunction('isShown');
    await page.evaluate(`document.querySelector('#here').textContent = ''; shown.destroy()`);
    expect(visit.problems).toEqual([]);
  });

  it('shows ratings, counts characters and proves work on a page with Prototype.js', async () => {
    const visit = await fixture().visit({
      fakeClock: false,
      head: PROTOTYPE,
      body: BODY,
      fields: [
        { name: 'stars', type: 'rating', label: 'Stars', max: 3 },
        { name: 'text', type: 'text', label: 'Text', maxLength: 2 },
      ],
      settings: { spam: { isEnabled: true } },
    });
    const { page, form } = visit;
    await page.waitForSelector('svc-form form');
    expect(await page.locator('.rating label').allTextContents()).toEqual(['1', '2', '3']);
    await page.getByLabel('2').check();
    await page.getByLabel('Text').fill('👋👋');
    // Faster than people are, so it needs a proof.
    await page.click('.primary');
    await page.waitForSelector('.done');
    const { body } = await fixture().client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`, {
      expect: 200,
    });
    expect(body.data.map(({ data }) => data)).toEqual([{ stars: 2, text: '👋👋' }]);
  });

  describeUnless(
    existsSync(jqueryPath) ? '' : `there is no jQuery at ${jqueryPath} (JQUERY_PATH)`,
    'a page with jQuery',
    () => {
      const withJQuery = (): VisitOptions => ({
        head: `<script>${readFileSync(jqueryPath, 'utf8').replaceAll('</script', '<\\/script')}</script>`,
        body: `${BODY}<script>
        window.seen = [];
        $(document).on('click', '#probe', () => seen.push('click'));
        $(document).on('keydown', () => seen.push('keydown'));
        $('form').on('submit', () => seen.push('submit'));
        $.fn.extra = () => 'extra';
      </script>`,
      });

      it('keeps its elements and handlers, which see no event from inside the form', async () => {
        const visit = await fixture().visit({ popup: SOON, ...withJQuery() });
        const state = () =>
          visit.page.evaluate(
            `JSON.stringify([$ === jQuery, $.fn.jquery, $().extra(), Object.keys($._data(document, 'events')), $('svc-form').length])`,
          );
        const before = await state();
        expect(before).toMatch(/^\[true,"\d/);
        await openSoon(visit);
        await visit.page.keyboard.type('ada@example.com');
        await visit.page.keyboard.press('Enter');
        await visit.page.waitForSelector('.done');
        await pressEscape(visit);
        expect(await state()).toBe(before);
        expect(await visit.page.evaluate('seen')).toEqual([]);
        await visit.page.click('#probe', { position: { x: 2, y: 2 } });
        expect(await visit.page.evaluate('seen')).toEqual(['click']);
        expect(visit.problems).toEqual([]);
      });

      it('shows the form of a tag that jQuery inserts', async () => {
        const visit = await fixture().visit({
          ...withJQuery(),
          isUnarmed: true,
          fakeClock: false,
          tags: (form, base) => `<div id="here"></div><script>
            $('#here').html('<p>before</p><script src="${base}/embed.js" data-svc-form-id="${form.id}"><\\/script>');
          </script>`,
        });
        await visit.page.waitForSelector('#here svc-form form');
        expect(await visit.page.locator('svc-form').count()).toBe(1);
      });

      it('opens the modal on a click dispatched by jQuery', async () => {
        const visit = await fixture().visit({
          popup: { trigger: 'click', selector: '#probe' },
          ...withJQuery(),
        });
        await visit.page.evaluate(`$('#probe').trigger('click')`);
        await visit.expectOpen();
      });
    },
  );
}
