import { poll } from '@svcforms/test-kit';
import { atOnce } from '../at-once.ts';
import { leaveByTop, nextFrames, scrollDownTo, showIntent } from '../gestures.ts';
import { GUARD_MS, scriptTag, type Fixture, type Visit } from '../fixture.ts';

const BODY = `<h1>x</h1><button class="buy">buy</button><button class="other">other</button>
  <a class="link" href="/next">next</a><a class="blank" href="/next" target="_blank">blank</a>
  <a class="download" href="/next" download>file</a><div style="height:3000px"></div><p id="low">low</p>`;

/** docs/reference/triggers.md#trigger-strings */
export function triggerScenarios(fixture: () => Fixture): void {
  const withString = (text: string, popup = {}): Promise<Visit> =>
    fixture().visit({
      popup: { trigger: 'delay', delayMs: 1, ...popup },
      attributes: `data-svc-trigger="${text}"`,
      body: BODY,
    });

  describe('trigger strings', () => {
    it('data-svc-trigger overrides the saved trigger of that placement', async () => {
      const visit = await withString('delay:9000');
      await visit.pass(8900);
      await visit.expectClosed();
      await visit.pass(200);
      await visit.expectOpen();
    });

    it('data-svc-trigger loads its parser before the form, which saved triggers do not load', async () => {
      const [named, saved] = [
        await withString('delay:9000'),
        await fixture().visit({ popup: { trigger: 'delay', delayMs: 9000 } }),
      ];
      const json = (visit: Visit) => `GET /embed/forms/${visit.form.id}.json`;
      expect(named.requests).toEqual([
        'GET /embed.js',
        expect.stringMatching(/^GET \/embed\/triggers\.[0-9a-f]+\.js$/),
        json(named),
      ]);
      expect(saved.requests).toEqual(['GET /embed.js', json(saved)]);
    });

    it('data-svc-trigger shows nothing if its parser fails to load', async () => {
      const context = await fixture().newContext();
      await context.route('**/embed/triggers.*', (route) => route.abort());
      const visit = await fixture().visit({
        context,
        attributes: 'data-svc-trigger="delay:1"',
        isUnarmed: true,
        fakeClock: false,
      });
      await visit.page.waitForLoadState('networkidle');
      expect(visit.requests.filter((request) => request.endsWith('.json'))).toEqual([]);
      expect(visit.problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
    });

    it('data-svc-trigger turns a form without a popup into a popup', async () => {
      const visit = await fixture().visit({ attributes: 'data-svc-trigger="delay:1000"' });
      await visit.expectClosed();
      expect(await visit.page.locator('svc-form').count()).toBe(0);
      await visit.pass(1000);
      await visit.expectOpen();
    });

    it('exit: fires on any departure signal', async () => {
      const visit = await withString('exit');
      await visit.pass(GUARD_MS);
      await visit.expectClosed();
      await leaveByTop(visit);
      await visit.expectOpen();
    });

    it('delay: shortens an excessive delay to an hour, with a warning', async () => {
      for (const trigger of ['delay', 'inactivity']) {
        const visit = await withString(`${trigger}:99999999999`);
        await visit.pass(1000);
        await visit.expectClosed();
        expect(visit.problems.join()).toMatch(new RegExp(`^warning: .*hour ${trigger}:99999999999$`));
        await visit.page.clock.fastForward(3_590_000);
        await visit.expectClosed();
        await visit.page.clock.fastForward(10_000);
        await visit.expectOpen();
      }
    });

    it('inactivity:<ms>: fires after that time without interaction', async () => {
      const visit = await withString('inactivity:4000');
      await visit.pass(4000);
      await visit.expectOpen();
    });

    it('scroll:<percent>: fires past that part of the page', async () => {
      const visit = await withString('scroll:50');
      await visit.pass(GUARD_MS);
      await scrollDownTo(visit, 1000);
      await visit.expectClosed();
      await scrollDownTo(visit, 2000);
      await visit.expectOpen();
    });

    it('scroll:<percent>: ignores a page that a menu has locked by a fixed body', async () => {
      const visit = await withString('scroll:50');
      await visit.page.evaluate(() => (document.body.style.position = 'fixed'));
      await visit.pass(GUARD_MS);
      await nextFrames(visit.page);
      await visit.expectClosed();
      await visit.page.evaluate(() => (document.body.style.position = ''));
      await scrollDownTo(visit, 1000);
      await visit.expectClosed();
      await scrollDownTo(visit, 2000);
      await visit.expectOpen();
    });

    it('click:<selector>: fires on any matching element, even one added later', async () => {
      const visit = await withString('click:.buy, .late');
      await visit.page.click('.other');
      await visit.expectClosed();
      await visit.page.evaluate(() =>
        document.body.insertAdjacentHTML('afterbegin', '<div class="late"><i>late</i></div>'),
      );
      await visit.page.click('.late i');
      await visit.expectOpen();
    });

    it('visible:<selector>: fires when scrolled into view, even for elements added later', async () => {
      const visit = await withString('visible:#low');
      await visit.pass(GUARD_MS);
      await visit.expectClosed();
      await visit.page.locator('#low').scrollIntoViewIfNeeded();
      await visit.expectOpen();

      const late = await withString('visible:.late');
      await late.pass(GUARD_MS);
      await late.expectClosed();
      await late.page.evaluate(() =>
        document.body.insertAdjacentHTML('afterbegin', '<div class="late">late</div>'),
      );
      await late.expectOpen();
    });

    it('visible: fires for an element that matches later, not for one that no longer does', async () => {
      const body = '<h1>x</h1><p class="tab">tab</p><div style="height:5000px"></div><p id="low">low</p>';
      const visit = (selector: string) =>
        fixture().visit({ attributes: `data-svc-trigger="visible:${selector}"`, body });
      const setClass = ({ page }: Visit, selector: string, name: string) =>
        page
          .locator(selector)
          .evaluate((element, className) => element.setAttribute('class', className), name);
      const later = await visit('.tab.active');
      await later.pass(GUARD_MS);
      await nextFrames(later.page);
      await later.expectClosed();
      await setClass(later, '.tab', 'tab active');
      await later.expectOpen();

      const again = await visit('.tab');
      await again.pass(GUARD_MS - 500);
      await nextFrames(again.page);
      await setClass(again, '.tab', '');
      await again.pass(GUARD_MS);
      await setClass(again, '#low', 'tab');
      await nextFrames(again.page);
      await again.expectClosed();
      await setClass(again, 'p:first-of-type', 'tab');
      await again.expectOpen();
    });

    it('visible: fires for elements taller than the window, not for ones that left the view', async () => {
      const tall = await fixture().visit({
        attributes: 'data-svc-trigger="visible:.tall"',
        body: '<h1>x</h1><div class="tall" style="height:5000px"></div>',
      });
      await tall.pass(GUARD_MS);
      await tall.expectOpen();
      const passed = await withString('visible:#low');
      await passed.page.locator('#low').scrollIntoViewIfNeeded();
      await nextFrames(passed.page);
      await scrollDownTo(passed, 0);
      await passed.pass(GUARD_MS);
      await passed.expectClosed();
    });

    it('click: fires by keyboard and in elements with a shadow root', async () => {
      const keyboard = await withString('click:.buy');
      await keyboard.page.focus('.buy');
      await keyboard.page.keyboard.press('Enter');
      await keyboard.expectOpen();
      for (const selector of ['own-button.offer', '.inside']) {
        const visit = await fixture().visit({
          attributes: `data-svc-trigger="click:${selector}"`,
          body: `<h1>x</h1><own-button class="offer"></own-button><script>
            document.querySelector('own-button').attachShadow({ mode: 'open' }).innerHTML = '<button class="inside"><b>in</b></button>'</script>`,
        });
        await visit.page.click('text=in');
        await visit.expectOpen();
      }
    });

    it('scroll: a page without scrolling is at 100 percent, and so is the bottom', async () => {
      const short = await fixture().visit({
        attributes: 'data-svc-trigger="scroll:100"',
        body: '<h1>x</h1>',
      });
      await short.pass(GUARD_MS - 100);
      await short.expectClosed();
      await short.pass(200);
      await short.expectOpen();
      const long = await withString('scroll:100');
      await long.pass(GUARD_MS);
      const bottom = await long.page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      await scrollDownTo(long, bottom - 10);
      await long.expectClosed();
      await scrollDownTo(long, bottom - 1);
      await long.expectOpen();
    });

    it('scroll: is read again when the page becomes shorter', async () => {
      const visit = await fixture().visit({
        attributes: 'data-svc-trigger="scroll:60"',
        head: '<style>html { height: 100% }</style>',
        body: '<h1>x</h1><div style="height:3000px"></div><div id="more" style="height:3000px"></div>',
      });
      await visit.pass(GUARD_MS);
      await scrollDownTo(visit, 2000);
      await visit.expectClosed();
      await visit.page.evaluate(() => document.querySelector('#more')?.remove());
      await visit.expectOpen();
    });

    it('intent: fires at any level; intent:warm: at warm and hot; intent:hot: at hot only', async () => {
      const cases: [text: string, level: string | undefined, opens: boolean][] = [
        ['intent', undefined, true],
        ['intent', 'warm', true],
        ['intent:warm', 'warm', true],
        ['intent:warm', 'hot', true],
        ['intent:warm', 'cold', false],
        ['intent:hot', 'warm', false],
        ['intent:hot', 'hot', true],
        ['intent:hot', undefined, false],
      ];
      const results = await atOnce(cases, async ([text, level]) => {
        const visit = await withString(text);
        await visit.pass(GUARD_MS);
        await showIntent(visit.page, level);
        await visit.waitForUi();
        return [text, level, await visit.isOpen()];
      });
      expect(results).toEqual(cases);
    });

    it('a & b: fires when every trigger has fired; more than two are accepted', async () => {
      const visit = await withString('click:.buy&click:.other&delay:5000');
      await visit.page.click('.buy');
      await visit.pass(6000);
      await visit.expectClosed();
      await visit.page.click('.other');
      await visit.expectOpen();
    });

    it('a, b: fires on the first trigger and on no other', async () => {
      const visit = await withString('delay:9000, click:.buy', { frequencyDays: 0 });
      await visit.page.click('.buy');
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.pass(10_000);
      await visit.expectClosed();
    });

    it('skips unknown triggers with one warning and keeps the rest', async () => {
      const visit = await withString('hover, scroll:50%, delay:500');
      expect(visit.problems).toHaveLength(1);
      expect(visit.problems[0]).toMatch(/warning: .*hover, scroll:50%/);
      await visit.pass(500);
      await visit.expectOpen();
    });

    it('skips an unreadable trigger after a selector, which stays unchanged', async () => {
      for (const piece of ['delay:', 'delay 900', 'scroll:', 'intent:', '']) {
        const visit = await withString(`click:.buy, ${piece}`);
        expect(visit.problems).toEqual([`warning: SvcForms: unknown trigger ${piece}`]);
        await visit.page.click('.buy');
        await visit.expectOpen();
      }
    });

    it('data-svc-debug names invalid selectors, whose triggers are not armed', async () => {
      const explained = async (triggers: string) => {
        const visit = await fixture().visit({
          attributes: `data-svc-trigger="${triggers}" data-svc-debug`,
          isUnarmed: true,
        });
        const verdict = () => visit.problems.find((problem) => problem.includes('it is'));
        return poll(async () => verdict(), { what: 'the display check' });
      };
      const alone = await explained('exit&click:a[');
      expect(alone).toContain('it is blocked');
      expect(alone).toContain('  NO  trigger: none is complete');
      expect(alone).toContain("  !!  trigger: a[ isn't a CSS selector");
      const beside = await explained('delay:9000, visible:p::');
      expect(beside).toContain('it is armed');
      expect(beside).toContain('  ok  trigger: delay\n');
      expect(beside).toContain("  !!  trigger: p:: isn't a CSS selector");
    });

    it('skips an invalid selector with one warning and keeps the rest', async () => {
      const visit = await withString('click:h1::nothing(, delay:500, click:h1..x&exit, visible:p[, exit');
      expect(visit.problems.filter((problem) => !problem.startsWith('warning: SvcForms'))).toEqual([]);
      const apart = await withString('click:h1..x, delay:500');
      expect(apart.problems).toEqual([expect.stringMatching(/^warning: SvcForms/)]);
      await apart.pass(400);
      await apart.expectClosed();
      await apart.pass(200);
      await apart.expectOpen();
    });

    it('opens immediately for a state that is already true and arms nothing else', async () => {
      const visit = await withString('inactivity:0, click:.buy', { frequencyDays: 0 });
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.page.click('.buy');
      await visit.expectClosed();
    });
  });

  describe('trigger parameters in settings.popup', () => {
    it.each([
      ['delay', { trigger: 'delay' }, 5000],
      ['inactivity', { trigger: 'inactivity' }, 5000],
    ] as const)('%s without delayMs waits 5 seconds', async (_, popup, ms) => {
      const visit = await fixture().visit({ popup });
      await visit.pass(ms - 100);
      await visit.expectClosed();
      await visit.pass(200);
      await visit.expectOpen();
    });

    it('scroll without scrollPercent fires at the middle', async () => {
      const visit = await fixture().visit({ popup: { trigger: 'scroll' } });
      await visit.pass(GUARD_MS);
      await scrollDownTo(visit, 1500);
      await visit.expectClosed();
      await scrollDownTo(visit, 2100);
      await visit.expectOpen();
    });

    it('ignores parameters of other triggers and a popup that is disabled', async () => {
      const popup = {
        trigger: 'delay',
        delayMs: 2000,
        scrollPercent: 0,
        selector: 'h1',
        intentLevel: 'hot',
      } as const;
      const visit = await fixture().visit({ popup });
      await visit.page.click('h1');
      await visit.pass(1000);
      await visit.expectClosed();
      const off = await fixture().visit({ popup: { ...popup, enabled: false } });
      await off.pass(60_000);
      await off.expectClosed();
    });
  });

  describe('trigger states', () => {
    it('fires each trigger at most once per page load, click included', async () => {
      const visit = await withString('click:.buy', { frequencyDays: 0 });
      await visit.page.click('.buy');
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.page.click('.buy');
      await visit.expectClosed();
    });

    it('ignores gestures while a modal is open and keeps their triggers armed; a timer is spent', async () => {
      const other = (await fixture().visit({ popup: { trigger: 'delay', delayMs: 900_000 }, name: 'Other' }))
        .form;
      const visit = await fixture().visit({
        body: BODY,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="delay:2000"`) +
          scriptTag(base, `data-svc-form-id="${other.id}" data-svc-trigger="delay:3000, exit"`),
      });
      await visit.pass(2000);
      await visit.expectOpen();
      await visit.pass(GUARD_MS);
      await leaveByTop(visit);
      await visit.page.keyboard.press('Escape');
      await visit.pass(60_000);
      await visit.expectClosed();
      await leaveByTop(visit);
      await visit.expectOpen();
      expect(await visit.page.locator('dialog').getAttribute('aria-labelledby')).toBe('title');
      expect(await visit.page.locator('dialog #title').textContent()).toBe('Other');
    });

    it('treats the same form and trigger twice as one; all triggers share one modal', async () => {
      const visit = await fixture().visit({
        body: BODY,
        tags: (form, base) =>
          scriptTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="delay:1000"`).repeat(3),
      });
      await visit.pass(1000);
      await visit.expectOpen();
      await visit.waitForUi();
      expect(visit.counted).toEqual(['shown']);
      expect(await visit.page.locator('svc-form').count()).toBe(1);
    });
  });

  describe('trigger behavior', () => {
    describe('inactivity restarts on interaction', () => {
      it.each<[string, (visit: Visit) => Promise<unknown>]>([
        ['a mouse move', ({ page }) => page.mouse.move(200, 200)],
        ['a click', ({ page }) => page.mouse.click(300, 300)],
        [
          'a click without a pointer',
          ({ page }) => page.evaluate(() => document.querySelector<HTMLElement>('.other')?.click()),
        ],
        ['a key', ({ page }) => page.keyboard.press('a')],
        ['scrolling the page', ({ page }) => page.evaluate(() => scrollBy(0, 200))],
        [
          'scrolling an inner panel',
          ({ page }) => page.evaluate(() => document.querySelector('#panel')?.scrollBy(0, 50)),
        ],
        ['a tap', ({ page }) => page.touchscreen.tap(300, 300)],
        [
          'a return from the back/forward cache',
          ({ page }) =>
            page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
        ],
      ])('%s', async (_, interact) => {
        const visit = await fixture().visit({
          popup: { trigger: 'inactivity', delayMs: 4000 },
          body: `<div id="panel" style="height:90px;overflow:auto"><p style="height:900px">in</p></div>${BODY}`,
          contextOptions: { hasTouch: true },
        });
        await visit.pass(3000);
        await interact(visit);
        // The scroll event arrives with the next frame.
        await nextFrames(visit.page);
        await visit.pass(3000);
        await visit.expectClosed();
        await visit.pass(1100);
        await visit.expectOpen();
      });
    });

    describe('a click trigger on a link', () => {
      it('opens the modal and stays on the page', async () => {
        const visit = await withString('click:.link');
        await visit.page.click('.link');
        await visit.expectOpen();
        expect(new URL(visit.page.url()).pathname).toBe('/');
      });

      it('leaves elements that are not links alone', async () => {
        const visit = await fixture().visit({
          attributes: 'data-svc-trigger="click:.agree"',
          body: '<h1>x</h1><input type="checkbox" class="agree">',
        });
        await visit.page.click('.agree');
        await visit.expectOpen();
        expect(await visit.page.isChecked('.agree')).toBe(true);
      });

      it('follows the link once the trigger is spent', async () => {
        const visit = await withString('click:.link');
        await visit.page.click('.link');
        await visit.expectOpen();
        await visit.page.keyboard.press('Escape');
        await visit.page.click('.link');
        await visit.page.waitForURL('**/next');
      });

      it('follows the link of a half that opens nothing yet', async () => {
        const visit = await withString('click:.link&delay:60000');
        await visit.page.click('.link');
        await visit.page.waitForURL('**/next');
      });

      it('leaves clicks with Ctrl, Shift, the middle button or download to the browser', async () => {
        const visit = await withString('click:.link, click:.blank, click:.download');
        for (const [selector, options] of [
          ['.link', { modifiers: ['Control'] }],
          ['.link', { modifiers: ['Shift'] }],
          ['.link', { button: 'middle' }],
          ['.blank', { modifiers: ['Control'] }],
          ['.download', {}],
        ] as const) {
          await visit.page.click(selector, options as never);
          await visit.expectClosed();
        }
        await visit.page.click('.link');
        await visit.expectOpen();
      });

      it('follows the link without JavaScript', async () => {
        const { form, site } = await fixture().visit({
          popup: { trigger: 'click', selector: '.link' },
          body: BODY,
        });
        const context = await fixture().newContext({ javaScriptEnabled: false });
        const page = await context.newPage();
        await page.goto(site.url);
        expect(form.settings.popup?.enabled).toBe(true);
        await page.click('.link');
        await page.waitForURL('**/next');
      });
    });

    it('intent fires once wherever it is dispatched, and not after the popup opened', async () => {
      const targets = ['window', 'document', 'document.body'].flatMap((target) => [
        [target, true] as const,
        [target, false] as const,
      ]);
      const received = await atOnce(targets, async ([target, bubbles]) => {
        const visit = await fixture().visit({
          attributes: 'data-svc-trigger="intent:warm"',
          popup: { trigger: 'intent', frequencyDays: 0 },
          init: `window.calls = []; for (const name of ['addEventListener', 'removeEventListener']) {
            const original = EventTarget.prototype[name];
            EventTarget.prototype[name] = function (type, ...rest) {
              if (/:intent$/.test(type)) window.calls.push(name);
              return original.call(this, type, ...rest);
            };
          }`,
        });
        const dispatch = () =>
          visit.page.evaluate(
            `${target}.dispatchEvent(new CustomEvent('svc:intent', { bubbles: ${bubbles}, detail: { level: 'warm' } }))`,
          );
        await visit.pass(GUARD_MS - 1);
        await dispatch();
        await visit.expectClosed();
        await visit.pass(1);
        await dispatch();
        await visit.waitForUi();
        const isOpen = await visit.isOpen();
        await visit.page.keyboard.press('Escape');
        await dispatch();
        await visit.expectClosed();
        return [isOpen, visit.counted, await visit.page.evaluate('window.calls')];
      });
      expect(received).toEqual(
        targets.map(() => [true, ['shown'], ['addEventListener', 'removeEventListener']]),
      );
    });

    it('intent listens only to the prefixes in data-svc-analytics', async () => {
      for (const prefixes of ['acme, other', 'other , acme', ' other ']) {
        const visit = await fixture().visit({
          attributes: `data-svc-trigger="intent" data-svc-analytics="${prefixes}"`,
        });
        await visit.pass(GUARD_MS);
        await showIntent(visit.page, 'hot', 'svc:intent');
        await visit.expectClosed();
        await showIntent(visit.page, 'hot', 'other:intent');
        await visit.expectOpen();
      }
    });

    it('leaves the back button alone: no history entry, no popstate listener', async () => {
      const visit = await fixture().visit({
        popup: { trigger: 'delay', delayMs: 100 },
        init: () => {
          const add = EventTarget.prototype.addEventListener;
          (window as never as { types: string[] }).types = [];
          EventTarget.prototype.addEventListener = function (
            this: EventTarget,
            ...args: Parameters<typeof add>
          ) {
            (window as never as { types: string[] }).types.push(args[0]);
            return add.apply(this, args);
          };
        },
      });
      await visit.pass(200);
      await visit.expectOpen();
      expect(await visit.page.evaluate(() => history.length)).toBe(2);
      const types = await visit.page.evaluate(() => (window as never as { types: string[] }).types);
      for (const type of ['popstate', 'unload', 'beforeunload', 'hashchange'])
        expect(types).not.toContain(type);
    });
  });
}
