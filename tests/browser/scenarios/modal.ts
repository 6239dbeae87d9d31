import { poll } from '@svcforms/test-kit';
import { GUARD_MS, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';
import { leaveByTop, nextFrames } from '../gestures.ts';
import { openedVisit, openSoon, pressEscape, SOON } from '../popup-visit.ts';

/** docs/reference/embed.md#modal */
export function modalScenarios(fixture: () => Fixture): void {
  const opened = (options?: VisitOptions) => openedVisit(fixture(), options);

  describe('the modal', () => {
    it('is named by the form and focuses its first field', async () => {
      const { page } = await opened({ name: 'Write to us' });
      await expectRole(page, 'Write to us');
      expect(
        await page.evaluate(() =>
          document.querySelector('svc-form')?.shadowRoot?.activeElement?.getAttribute('type'),
        ),
      ).toBe('email');
    });

    it.each<[string, (visit: Visit) => Promise<unknown>]>([
      ['the X control', ({ page }) => page.click('[aria-label=Close]')],
      ['Escape', ({ page }) => page.keyboard.press('Escape')],
      ['a click on the backdrop', ({ page }) => page.mouse.click(20, 20)],
    ])('closes by %s', async (_, close) => {
      const visit = await opened();
      await close(visit);
      await visit.expectClosed();
      expect(visit.counted).toEqual(['shown']);
      expect(await visit.page.locator('svc-form').count()).toBe(0);
    });

    it('stays open when a press starts inside and ends on the backdrop, or the reverse', async () => {
      const visit = await opened();
      const { mouse } = visit.page;
      await mouse.move(500, 350);
      await mouse.down();
      await mouse.move(20, 20);
      await mouse.up();
      expect(await visit.isOpen()).toBe(true);
      await mouse.down();
      await mouse.move(500, 350);
      await mouse.up();
      expect(await visit.isOpen()).toBe(true);
    });

    it.each<[string, { isComposing?: boolean; keyCode?: number }]>([
      ['during the composition', { isComposing: true }],
      ['after the composition, as in Safari', { keyCode: 229 }],
    ])('ignores the Escape of an input method %s', async (_, init) => {
      const visit = await opened();
      await visit.page.evaluate((given) => {
        const input = document.querySelector('svc-form')?.shadowRoot?.querySelector('input');
        const event = { key: 'Escape', bubbles: true, composed: true, cancelable: true, ...given };
        input?.dispatchEvent(new KeyboardEvent('keydown', event));
      }, init);
      expect(await visit.isOpen()).toBe(true);
    });

    it('has a close button of at least 44 pixels', async () => {
      const { page } = await opened();
      const box = await page.locator('[aria-label=Close]').boundingBox();
      expect(Math.round(box?.width ?? 0)).toBeGreaterThanOrEqual(44);
      expect(Math.round(box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    });

    it('returns focus to the previous element', async () => {
      const visit = await fixture().visit({ popup: SOON, body: '<h1>x</h1><input id="there">' });
      await visit.page.focus('#there');
      await openSoon(visit);
      await pressEscape(visit);
      expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe('there');
    });

    it('blocks page scrolling and leaves the styles of the page unchanged', async () => {
      const visit = await fixture().visit({
        popup: SOON,
        head: '<script>document.documentElement.style.overflow = "auto"</script>',
      });
      const styles = () =>
        visit.page.evaluate(() => [
          document.documentElement.getAttribute('style'),
          document.body.getAttribute('style'),
        ]);
      const before = await styles();
      await openSoon(visit);
      await visit.page.mouse.move(20, 20);
      await visit.page.mouse.wheel(0, 600);
      await nextFrames(visit.page);
      expect(await visit.page.evaluate(() => scrollY)).toBe(0);
      await pressEscape(visit);
      expect(await styles()).toEqual(before);
      await visit.page.mouse.wheel(0, 600);
      await visit.page.waitForFunction(() => scrollY > 0);
    });

    it.each([
      ['is as tall as the window', 'html,body{height:100%;margin:0} body{overflow-x:hidden}'],
      ['has a sticky header', 'body{overflow-x:hidden;margin:0}'],
      [
        'scrolls within its body',
        'html,body{height:100%;margin:0} html{overflow:hidden} body{overflow:auto}',
      ],
    ])('does not move a page that %s', async (_, styles) => {
      const visit = await fixture().visit({
        popup: SOON,
        head: `<style>${styles} header{position:sticky;top:0}</style>`,
        body: '<header>Header</header><h1>x</h1><div style="height:4000px"></div>',
      });
      const { page } = visit;
      const state = () =>
        page.evaluate(() => {
          const top = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top;
          return { title: Math.round(top('h1') ?? 0), header: top('header') };
        });
      await page.mouse.move(20, 20);
      const { title } = await state();
      await page.mouse.wheel(0, 2000);
      await page.waitForFunction(
        (to) => Math.abs((document.querySelector('h1')?.getBoundingClientRect().top ?? 0) - to) < 2,
        title - 2000,
      );
      await nextFrames(page);
      const before = await state();
      await openSoon(visit);
      expect(await state()).toEqual(before);
      await page.mouse.wheel(0, 600);
      await nextFrames(page);
      expect(await state()).toEqual(before);
      await pressEscape(visit);
      expect(await state()).toEqual(before);
    });

    it('removes a style attribute that it added', async () => {
      const visit = await opened();
      await pressEscape(visit);
      expect(await visit.page.evaluate(() => document.documentElement.hasAttribute('style'))).toBe(false);
    });

    it.each([
      ['reduce', 'none'],
      ['no-preference', 'rise'],
    ] as const)(
      'follows prefers-reduced-motion: with %s the animation is %s',
      async (reducedMotion, animation) => {
        const { page } = await opened({ contextOptions: { reducedMotion } });
        const [name, running] = await page.evaluate(() => {
          const root = document.querySelector('svc-form')?.shadowRoot;
          return [
            getComputedStyle(root?.querySelector('dialog') as Element).animationName,
            root?.getAnimations().length,
          ];
        });
        expect(name).toBe(animation);
        if (animation === 'none') expect(running).toBe(0);
      },
    );

    it.each([
      ['light', 'rgb(255, 255, 255)'],
      ['dark', 'rgb(18, 18, 18)'],
    ] as const)(
      'follows the %s color scheme of the visitor if the page does',
      async (colorScheme, background) => {
        const head = '<style>:root{color-scheme:light dark}</style>';
        const { page } = await opened({ head, contextOptions: { colorScheme } });
        expect(
          await page.evaluate(
            () =>
              getComputedStyle(
                document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element,
              ).backgroundColor,
          ),
        ).toBe(background);
      },
    );

    it.each([
      ['ltr', 'right'],
      ['rtl', 'left'],
    ])('on a page that reads %s has its close button on the %s', async (dir, side) => {
      const { page } = await opened({ head: `<script>document.documentElement.dir = '${dir}'</script>` });
      const box = await page.locator('[aria-label=Close]').boundingBox();
      expect((box?.x ?? 0) > 500 ? 'right' : 'left').toBe(side);
    });

    it('leaves scroll position and styles of a page on iOS unchanged', async () => {
      const visit = await fixture().visit({
        popup: SOON,
        init: `Object.defineProperty(navigator, 'platform', { get: () => 'iPhone' });
Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 })`,
        head: '<style>html { scroll-behavior: smooth }</style>',
      });
      await visit.page.evaluate(() => scrollTo({ top: 700, behavior: 'instant' }));
      await openSoon(visit);
      expect(await visit.page.evaluate(() => getComputedStyle(document.body).position)).toBe('fixed');
      await pressEscape(visit);
      expect(await visit.page.evaluate(() => [scrollY, document.body.hasAttribute('style')])).toEqual([
        700,
        false,
      ]);
    });

    it.each([
      ['it', `document.querySelector('svc-form').remove()`],
      [
        'the whole page',
        `document.replaceChild(document.querySelector('html').cloneNode(true), document.querySelector('html')); document.querySelector('svc-form')?.remove()`,
      ],
    ])('closes when a script of the page removes %s, and opens again', async (_, remove) => {
      const visit = await opened({
        init: `window.reasons = []; document.addEventListener('svc:closed', ({ detail }) => reasons.push(detail.reason))`,
      });
      await visit.page.evaluate(`{ ${remove} }`);
      await visit.page.mouse.move(20, 20);
      await visit.page.mouse.wheel(0, 600);
      await visit.page.waitForFunction(() => scrollY > 0);
      expect(await visit.page.evaluate('reasons')).toEqual(['script']);
      await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
      await visit.expectOpen();
    });

    it.each([undefined, 'slide-in', 'fullscreen'] as const)(
      'keeps its close button in view beside the title while a long form scrolls: placement %s',
      async (placement) => {
        const { page } = await opened({
          name: 'A title that is long enough to reach the other side of the window and wrap',
          fields: Array.from({ length: 12 }, (_, n) => ({ name: `f${n}`, type: 'text', label: `F ${n}` })),
          contextOptions: { viewport: { width: 320, height: 480 } },
          ...(placement && { settings: { placement } }),
        });
        const boxes = () =>
          page.evaluate(() => {
            const root = document.querySelector('svc-form')?.shadowRoot;
            const text = document.createRange();
            text.selectNodeContents(root?.querySelector('#title') as Element);
            const close = root?.querySelector('.close') as Element;
            const { left, right, top, bottom } = close.getBoundingClientRect();
            // The box has a margin around the sign.
            const isCovered = [...text.getClientRects()].some(
              (line) => line.right > left + 12 && line.left < right - 12 && line.top < bottom - 12,
            );
            return {
              isCovered,
              isInView: top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth,
            };
          });
        expect(await boxes()).toEqual({ isCovered: false, isInView: true });
        await page.evaluate(() =>
          document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog')?.scrollTo(0, 300),
        );
        expect(await boxes()).toMatchObject({ isInView: true });
      },
    );

    it.each([undefined, 'slide-in', 'fullscreen'] as const)(
      'shows a form that is taller than the window from its title on: placement %s',
      async (placement) => {
        const { page } = await opened({
          fields: Array.from({ length: 12 }, (_, n) => ({ name: `f${n}`, type: 'text', label: `F ${n}` })),
          contextOptions: { viewport: { width: 320, height: 480 } },
          ...(placement && { settings: { placement } }),
        });
        const dialog = page.locator('svc-form dialog');
        const title = page.locator('svc-form #title');
        await dialog.evaluate((element) => element.scrollTo(0, 0));
        expect((await title.boundingBox())?.y).toBeGreaterThan(0);
        await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        const { y = Infinity, height = 0 } = (await page.locator('svc-form .primary').boundingBox()) ?? {};
        expect(y + height).toBeLessThan(480);
        // It stays in the corner, however far the form is scrolled.
        expect((await page.locator('svc-form .close').boundingBox())?.y).toBeGreaterThanOrEqual(0);
      },
    );

    it.each([undefined, 'bar'] as const)('is not printed over the page: placement %s', async (placement) => {
      const { page } = await opened({ ...(placement && { settings: { placement } }) });
      expect(await page.locator('dialog').isVisible()).toBe(true);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('dialog').isVisible()).toBe(false);
    });

    it('keeps keystrokes from the shortcuts of the page', async () => {
      const visit = await opened({
        body: '<h1>x</h1><script>let keys = 0; document.addEventListener("keydown", () => keys++)</script>',
      });
      await visit.page.keyboard.type('abc');
      expect(await visit.page.evaluate('keys')).toBe(0);
      expect(await visit.page.inputValue('input[type=email]')).toBe('abc');
    });

    it('keeps keyboard focus inside until it closes, with everything reachable', async () => {
      const visit = await opened({
        popup: { ...SOON, decline: { enabled: true } },
        body: '<h1>x</h1><button>outside</button>',
      });
      const seen = new Set<string>();
      for (let i = 0; i < 6; i++) {
        const active = await visit.page.evaluate(() => {
          const inner = document.querySelector('svc-form')?.shadowRoot?.activeElement;
          return (
            inner?.getAttribute('aria-label') ??
            inner?.textContent ??
            inner?.tagName ??
            document.activeElement?.textContent ??
            ''
          );
        });
        seen.add(active.trim());
        await visit.page.keyboard.press('Tab');
      }
      expect([...seen]).toEqual(expect.arrayContaining(['', 'Submit', 'No thanks', 'Close']));
      expect([...seen]).not.toContain('outside');
    });
  });

  describe('requests', () => {
    it('load the script and the JSON first, and the rest when the guard lifts', async () => {
      const visit = await fixture().visit({ popup: { trigger: 'exit' } });
      const first = [
        'GET /embed.js',
        `GET /embed/forms/${visit.form.id}.json`,
        expect.stringMatching(/^GET \/embed\/exit\.[0-9a-f]+\.js$/),
      ];
      await visit.pass(GUARD_MS - 100);
      expect(visit.requests).toEqual(first);
      await visit.pass(200);
      await poll(() => visit.requests.length > first.length + 1, { what: 'the other requests' });
      expect(visit.requests).toEqual([
        ...first,
        expect.stringMatching(/^GET \/embed\/ui\.[0-9a-f]+\.js$/),
        expect.stringMatching(/^GET \/embed\/en\.[0-9a-f]+\.js$/),
      ]);
    });

    it('load the rest two seconds before a delay ends', async () => {
      const visit = await fixture().visit({ popup: { trigger: 'delay', delayMs: 8000 } });
      await visit.pass(5900);
      expect(visit.requests).toHaveLength(2);
      await visit.pass(200);
      await poll(() => visit.requests.length === 4, { what: 'the requests for the form' });
    });

    it('load the rest when the pointer is over the trigger element', async () => {
      const visit = await fixture().visit({ popup: { trigger: 'click', selector: '#top' } });
      expect(visit.requests).toHaveLength(2);
      await visit.page.hover('#top');
      await poll(() => visit.requests.length === 4, { what: 'the requests for the form' });
    });
  });

  describe('listeners, timers and observers', () => {
    /** Counts listeners, timers and observers outside the form. */
    const instrument = () => {
      const live = new Map<string, number>();
      const change = (what: string, by: number) => live.set(what, (live.get(what) ?? 0) + by);
      const inForm = (target: EventTarget) =>
        target instanceof Node &&
        (target.getRootNode() instanceof ShadowRoot || !target.isConnected || target.nodeName === 'SVC-FORM');
      const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
      const known = new WeakMap<object, Set<string>>();
      const name = (target: EventTarget, type: string, capture: unknown) =>
        `${target.constructor.name} ${type} ${String(capture === true || (capture as { capture?: boolean } | undefined)?.capture === true)}`;
      EventTarget.prototype.addEventListener = function (
        this: EventTarget,
        type: string,
        listener: EventListenerOrEventListenerObject | null,
        options?: unknown,
      ) {
        const target = this ?? window;
        if (listener && target instanceof EventTarget && !inForm(target)) {
          const key = name(target, type, options);
          const keys = known.get(listener) ?? new Set();
          if (!keys.has(key)) change(key, 1);
          keys.add(key);
          known.set(listener, keys);
        }
        return add.call(target, type, listener, options as never);
      };
      EventTarget.prototype.removeEventListener = function (
        this: EventTarget,
        type: string,
        listener: EventListenerOrEventListenerObject | null,
        options?: unknown,
      ) {
        const target = this ?? window;
        const key = name(target, type, options);
        if (listener && known.get(listener)?.delete(key)) change(key, -1);
        return remove.call(target, type, listener, options as never);
      };
      const timers = new Set<unknown>();
      const { setTimeout: set, clearTimeout: clear } = window;
      window.setTimeout = ((run: () => void, ms?: number) => {
        const id: unknown = set(() => {
          timers.delete(id);
          run();
        }, ms);
        timers.add(id);
        return id;
      }) as never;
      window.clearTimeout = ((id: number) => {
        timers.delete(id);
        clear(id);
      }) as never;
      for (const kind of ['IntersectionObserver', 'MutationObserver', 'ResizeObserver'] as const) {
        const { observe, disconnect } = window[kind].prototype as {
          observe: (...args: unknown[]) => void;
          disconnect: () => void;
        };
        const active = new Set<object>();
        Object.assign(window[kind].prototype, {
          observe(this: object, ...args: unknown[]) {
            active.add(this);
            observe.apply(this, args);
          },
          disconnect(this: object) {
            active.delete(this);
            disconnect.call(this);
          },
        });
        Object.defineProperty(live, kind, { get: () => active.size });
      }
      (window as never as { balance: unknown }).balance = () => ({
        listeners: [...live]
          .filter(([, count]) => count !== 0)
          .map(([key, count]) => `${key} ${count}`)
          .sort(),
        timers: timers.size,
        observers: ['IntersectionObserver', 'MutationObserver', 'ResizeObserver'].map(
          (kind) => (live as never as Record<string, number>)[kind],
        ),
      });
    };
    const NOTHING = {
      // A change of the path is a new page for popups.
      listeners: [
        'HTMLDocument click true 1',
        'HTMLDocument svc:open false 1',
        'Navigation currententrychange false 1',
      ],
      timers: 0,
      observers: [0, 0, 0],
    };
    const balance = ({ page }: Visit) =>
      page.evaluate(() => (window as never as { balance: () => unknown }).balance());
    const EVERYTHING = 'exit, inactivity:900000, scroll:100, click:.x, visible:#end, intent, delay:900000';

    it('are counted: an armed popup listens', async () => {
      const visit = await fixture().visit({
        attributes: `data-svc-trigger="${EVERYTHING}"`,
        init: instrument,
      });
      await visit.pass(GUARD_MS);
      const armed = (await balance(visit)) as typeof NOTHING;
      expect(armed.listeners.length).toBeGreaterThan(15);
      expect(armed.timers).toBeGreaterThan(0);
      expect(armed.observers).toEqual([1, 1, 1]);
    });

    it('after firing and closing: only those of the two open interfaces', async () => {
      const visit = await fixture().visit({
        attributes: `data-svc-trigger="${EVERYTHING}"`,
        init: instrument,
      });
      await visit.pass(GUARD_MS);
      await leaveByTop(visit);
      await visit.expectOpen();
      // An open popup watches whether the page removes it.
      expect(await balance(visit)).toEqual({ ...NOTHING, observers: [0, 1, 0] });
      await pressEscape(visit);
      expect(await balance(visit)).toEqual(NOTHING);
    });

    it('of a half that has fired are removed, those of the other half stay', async () => {
      const visit = await fixture().visit({
        attributes: 'data-svc-trigger="click:#top&intent"',
        init: instrument,
      });
      await visit.pass(GUARD_MS);
      await visit.page.click('#top');
      const { listeners } = (await balance(visit)) as typeof NOTHING;
      expect(listeners).toEqual([
        'HTMLDocument click true 1',
        'HTMLDocument svc:open false 1',
        'Navigation currententrychange false 1',
        'Window svc:intent true 1',
      ]);
    });

    it.each(['exit', 'scroll:50', 'visible:#end', 'intent'])(
      'of %s inside the guard: one timer until shortly before the guard lifts',
      async (trigger) => {
        const visit = await fixture().visit({
          attributes: `data-svc-trigger="${trigger}"`,
          init: instrument,
        });
        await visit.pass(GUARD_MS - 1100);
        expect(await balance(visit)).toEqual({ ...NOTHING, timers: expect.any(Number) });
        await visit.pass(1100);
        // Some triggers come as a chunk, which loads meanwhile.
        const isArmed = async () => {
          const { listeners, observers } = (await balance(visit)) as typeof NOTHING;
          return listeners.length > NOTHING.listeners.length || observers.some((count) => count > 0);
        };
        await poll(isArmed, { what: 'a listener or an observer' });
      },
    );

    it('of an alternative with a half that cannot be observed: none', async () => {
      const visit = await fixture().visit({
        attributes: 'data-svc-trigger="exit&click:h1..x"',
        init: instrument,
      });
      expect(await balance(visit)).toEqual(NOTHING);
    });

    it('after a withdrawal: none', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', trackingConsent: { cookie: 'c' } },
        attributes: `data-svc-trigger="${EVERYTHING}"`,
        init: `document.cookie = 'c=yes'; (${String(instrument)})()`,
      });
      await visit.pass(GUARD_MS);
      expect(await balance(visit)).not.toEqual(NOTHING);
      await visit.page.evaluate(() => void (document.cookie = 'c=no'));
      await visit.pass(1100);
      expect(await balance(visit)).toEqual(NOTHING);
    });

    it.each([
      ['device', { devices: 'mobile' }, NOTHING.listeners.slice(0, 2)],
      // On another page, it may open.
      ['page', { pages: { exclude: ['*'] } }, NOTHING.listeners],
    ] as const)('after an exclusion by %s: none', async (_, popup, listeners) => {
      const visit = await fixture().visit({
        popup: { trigger: 'exit', ...popup } as never,
        attributes: `data-svc-trigger="${EVERYTHING}"`,
        init: instrument,
      });
      expect(await balance(visit)).toEqual({ ...NOTHING, listeners });
    });
  });

  async function expectRole(page: Visit['page'], name: string): Promise<void> {
    expect(await page.getByRole('dialog', { name }).count()).toBe(1);
  }
}
