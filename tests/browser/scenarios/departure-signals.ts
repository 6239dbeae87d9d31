import { atOnce } from '../at-once.ts';
import {
  goToAnotherWindow,
  hideTab,
  leaveByTop,
  moveOutOfTop,
  scrollDownTo,
  turnWheel,
} from '../gestures.ts';
import { GUARD_MS, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

const ON_MAC = `Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })`;

/** Puts the HTML into a shadow root in another one. */
const inShadow = (html: string) => `<div><template shadowrootmode="open">
  <div><template shadowrootmode="open">${html}</template></div>
</template></div>`;

async function scrollFast(visit: Visit): Promise<void> {
  await scrollDownTo(visit, 2000);
  await visit.pass(2000);
  await turnWheel(visit, { times: 7, by: -300, everyMs: 50 });
}

/** docs/reference/triggers.md#exit-intent */
export function departureScenarios(fixture: () => Fixture): void {
  const afterGuard = async (options: VisitOptions = {}): Promise<Visit> => {
    const visit = await fixture().visit({ popup: { trigger: 'exit' }, ...options });
    await visit.pass(GUARD_MS);
    return visit;
  };

  describe('exit intent', () => {
    describe('the cursor leaves through the top and stays outside', () => {
      it('opens after mouseLeaveDelayMs, by default one second', async () => {
        const visit = await afterGuard();
        await moveOutOfTop(visit.page);
        await visit.pass(900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });

      it('is cancelled by a cursor that returns in time', async () => {
        const visit = await afterGuard();
        await moveOutOfTop(visit.page);
        await visit.pass(900);
        await visit.page.mouse.move(400, 50);
        await visit.pass(5000);
        await visit.expectClosed();
      });

      it('ignores the left and right sides and the bottom', async () => {
        const visit = await afterGuard();
        for (const [x, y] of [
          [-5, 300],
          [1005, 300],
          [400, 705],
        ] as const) {
          await visit.page.mouse.move(400, 300);
          await visit.page.mouse.move(x, y);
          await visit.pass(5000);
          await visit.expectClosed();
        }
      });

      it('ignores the bottom of a window that is shorter than exitSensitivityPx', async () => {
        const visit = await afterGuard({ popup: { trigger: 'exit', exitSensitivityPx: 1000 } });
        await visit.page.mouse.move(400, 300);
        await visit.page.mouse.move(400, 705);
        await visit.pass(5000);
        await visit.expectClosed();
      });

      it('uses mouseLeaveDelayMs of the form', async () => {
        const visit = await afterGuard({ popup: { trigger: 'exit', mouseLeaveDelayMs: 3000 } });
        await moveOutOfTop(visit.page);
        await visit.pass(2900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });

      it('extends below the edge by exitSensitivityPx', async () => {
        // Some browsers report the last position inside the window instead of one above it.
        const leaveAt = (visit: Visit, clientY: number) =>
          visit.page.evaluate((y) => {
            document.documentElement.dispatchEvent(
              new MouseEvent('mouseout', { bubbles: true, clientX: 400, clientY: y, relatedTarget: null }),
            );
          }, clientY);
        const cases = [
          [{}, 20, true],
          [{}, 21, false],
          [{ exitSensitivityPx: 60 }, 60, true],
          [{ exitSensitivityPx: 0 }, 1, false],
        ] as const;
        const results = await atOnce(cases, async ([popup, y]) => {
          const visit = await afterGuard({ popup: { trigger: 'exit', ...popup } });
          await leaveAt(visit, y);
          await visit.pass(1100);
          await visit.waitForUi();
          return [popup, y, await visit.isOpen()];
        });
        expect(results).toEqual(cases);
      });

      it('is ignored while a mouse button is down', async () => {
        const visit = await afterGuard();
        await visit.page.mouse.move(400, 300);
        await visit.page.mouse.down();
        await visit.page.mouse.move(400, 5);
        await visit.page.mouse.move(400, -10);
        await visit.pass(5000);
        await visit.expectClosed();
      });

      it.each<[number, string, (control: string) => string]>([
        [0, '', (control) => control],
        [-30, '', (control) => control],
        [0, ' in a shadow root', inShadow],
      ])('ignores the open list of a control at the top, %s%s', async (top, _, around) => {
        const visit = await afterGuard({
          body: `${around(`<select style="position:fixed;top:${top}px;height:40px"><option>a<option>b</select>`)}<h1>x</h1>`,
        });
        await visit.page.focus('select');
        await leaveByTop(visit);
        await visit.expectClosed();
      });

      it('is detected while focus is in a control that is scrolled out of view', async () => {
        const visit = await afterGuard({ body: '<input><div style="height:4000px"></div>' });
        await visit.page.focus('input');
        await scrollDownTo(visit, 2000);
        await leaveByTop(visit);
        await visit.expectOpen();
      });

      it('treats an iframe as part of the page', async () => {
        const visit = await afterGuard({
          body: '<h1>x</h1><iframe style="position:fixed;top:0;left:0;width:900px;height:90px"></iframe>',
        });
        await visit.page.mouse.move(400, 300);
        await visit.page.mouse.move(400, 10);
        await visit.pass(5000);
        await visit.expectClosed();
      });
    });

    it.each<[string, (visit: Visit) => Promise<unknown>]>([
      ['the tab', ({ page }) => hideTab(page)],
      ['the window', goToAnotherWindow],
      ['the fast scroll', scrollFast],
      ['Cmd+L', ({ page }) => page.keyboard.press('Meta+l')],
    ])('respects the arming guard and ignores cursor settings: %s', async (_, leave) => {
      const popup = { trigger: 'exit', exitSensitivityPx: 0, mouseLeaveDelayMs: 60_000 } as const;
      const early = await fixture().visit({ popup, init: ON_MAC });
      await leave(early);
      await early.pass(GUARD_MS);
      await early.expectClosed();
      await leave(early);
      await early.expectOpen();
    });

    describe('the visitor switches to another tab', () => {
      it('opens while the tab is hidden and is counted once', async () => {
        const visit = await afterGuard();
        await hideTab(visit.page);
        await visit.expectOpen();
        await hideTab(visit.page);
        await visit.waitForUi();
        expect(visit.counted).toEqual(['shown']);
      });

      it('ignores a tab hidden by following a link', async () => {
        const visit = await afterGuard();
        const here = visit.page.url();
        await visit.page.goto(`${visit.site.url}/elsewhere`);
        expect(visit.counted).toEqual([]);
        // The popup is not recorded as shown either.
        await visit.arm(() => visit.page.goto(here));
        await visit.pass(GUARD_MS);
        await hideTab(visit.page);
        await visit.expectOpen();
      });
    });

    it('ignores a tab hidden by a link that opens another one, but no later switch', async () => {
      const visit = await afterGuard({
        body: '<h1>x</h1><a href="/elsewhere" target="_blank"><b>open</b></a>',
      });
      const other = visit.context.waitForEvent('page');
      await visit.page.click('b');
      await other;
      await hideTab(visit.page);
      await visit.expectClosed();
      await visit.pass(1000);
      await hideTab(visit.page);
      await visit.expectOpen();
    });

    describe('the window loses focus', () => {
      it('opens the popup', async () => {
        const visit = await afterGuard();
        await goToAnotherWindow(visit);
        await visit.expectOpen();
      });

      it.each([
        ['an iframe', (frame: string) => frame],
        ['an iframe in a shadow root', inShadow],
        ['an iframe in a closed shadow root', (frame) => inShadow(frame).replaceAll('"open"', '"closed"')],
      ])('ignores a click into %s', async (_, around) => {
        const visit = await afterGuard({
          body: `<h1>x</h1>${around('<iframe srcdoc="<button>in</button>"></iframe>')}`,
        });
        const session = await visit.context.newCDPSession(visit.page);
        await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
        await visit.page.waitForLoadState('load');
        // Locators don't reach into closed shadow roots.
        await visit.page.frames()[1]?.click('button');
        await visit.pass(100);
        await visit.expectClosed();
      });

      it.each([
        ['a file picker', '<h1>x</h1><input type="file">', 'input'],
        [
          'a file picker of an input that is not in the page',
          `<h1>x</h1><button onclick="Object.assign(document.createElement('input'), { type: 'file' }).click()">pick</button>`,
          'button',
        ],
        [
          'printing',
          '<h1>x</h1><button onclick="dispatchEvent(new Event(\'beforeprint\'))">print</button>',
          'button',
        ],
      ])('ignores focus lost within half a second of %s', async (_, body, selector) => {
        const visit = await afterGuard({ body });
        visit.page.on('filechooser', () => {});
        await visit.page.click(selector);
        await goToAnotherWindow(visit);
        await visit.expectClosed();
      });
    });

    it('ignores a dialog that a script opens', async () => {
      const visit = await afterGuard();
      const session = await visit.context.newCDPSession(visit.page);
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
      const isBlurred = visit.page.evaluate(
        () => new Promise<void>((resolve) => addEventListener('blur', () => resolve(), { once: true })),
      );
      visit.page.once('dialog', (dialog) => void dialog.accept());
      await visit.page.evaluate(() => void confirm());
      await isBlurred;
      await visit.pass(100);
      await visit.expectClosed();
    });

    it('applies exclusions and the page position from before the guard lifted', async () => {
      const body = '<h1>x</h1><input type="file"><div style="height:4000px"></div>';
      const picking = await fixture().visit({ popup: { trigger: 'exit' }, body });
      picking.page.on('filechooser', () => {});
      await picking.pass(GUARD_MS - 200);
      await picking.page.click('input');
      await picking.pass(250);
      await goToAnotherWindow(picking);
      await picking.expectClosed();

      const jumping = await fixture().visit({ popup: { trigger: 'exit' }, body });
      await scrollDownTo(jumping, 1000);
      await jumping.pass(GUARD_MS - 200);
      await jumping.page.keyboard.press('Home');
      await jumping.page.waitForFunction(() => scrollY === 0);
      await scrollDownTo(jumping, 1000);
      await jumping.pass(300);
      await turnWheel(jumping, { times: 3, by: -300, everyMs: 50 });
      await jumping.expectClosed();

      const leaving = await fixture().visit({ popup: { trigger: 'exit' }, body });
      await scrollDownTo(leaving, 1000);
      await leaving.pass(GUARD_MS);
      await turnWheel(leaving, { times: 3, by: -300, everyMs: 50 });
      await leaving.expectOpen();
    });

    describe('a fast scroll that ends near the top', () => {
      it('opens the popup', async () => {
        const visit = await afterGuard();
        await scrollFast(visit);
        await visit.expectOpen();
      });

      it('ignores a slow scroll', async () => {
        const visit = await afterGuard();
        await scrollDownTo(visit, 1200);
        await visit.pass(2000);
        await turnWheel(visit, { times: 12, by: -100, everyMs: 250 });
        await visit.expectClosed();
      });

      it('ignores a single jump', async () => {
        const visit = await afterGuard();
        await scrollDownTo(visit, 2500);
        await visit.page.evaluate(() => scrollTo(0, 0));
        await visit.page.waitForFunction(() => scrollY === 0);
        await visit.expectClosed();
      });

      it('ignores a scroll that ends away from the top', async () => {
        const visit = await afterGuard();
        await scrollDownTo(visit, 2500);
        await visit.pass(2000);
        await turnWheel(visit, { times: 6, by: -300, everyMs: 50 });
        await visit.expectClosed();
      });

      it('ignores a scroll down', async () => {
        const visit = await afterGuard();
        await turnWheel(visit, { times: 6, by: 300, everyMs: 50 });
        await visit.expectClosed();
      });

      it.each([
        ['a link inside the page', '<a id="go" href="#up">up</a>'],
        ['a button', '<button id="go" onclick="scrollTo({ top: 0, behavior: \'smooth\' })">up</button>'],
      ])('ignores a scroll within a second of a click on %s', async (_, html) => {
        const visit = await afterGuard({
          body: `<h1 id="up">x</h1><div style="position:fixed;top:300px">${html}</div><div style="height:4000px"></div>`,
          head: '<style>html{scroll-behavior:smooth}</style>',
        });
        await scrollDownTo(visit, 1500);
        await visit.pass(2000);
        await visit.page.evaluate(() =>
          document.querySelector('#go')?.dispatchEvent(new MouseEvent('click', { bubbles: true })),
        );
        await turnWheel(visit, { times: 5, by: -300, everyMs: 50 });
        await visit.expectClosed();
      });

      it('ignores a scroll within a second of the Home key', async () => {
        const visit = await afterGuard({ head: '<style>html{scroll-behavior:smooth}</style>' });
        await scrollDownTo(visit, 1500);
        await visit.pass(2000);
        await visit.page.keyboard.press('Home');
        await turnWheel(visit, { times: 5, by: -300, everyMs: 50 });
        await visit.expectClosed();
      });
    });

    describe('the address-bar shortcut Cmd+L, on macOS only', () => {
      it('opens on Cmd+L, which still moves focus to the address bar', async () => {
        const visit = await afterGuard({ init: ON_MAC });
        await visit.page.evaluate(() =>
          addEventListener(
            'keydown',
            (event) => ((window as never as { prevented: boolean }).prevented = event.defaultPrevented),
          ),
        );
        await visit.page.keyboard.press('Meta+l');
        await visit.expectOpen();
        expect(await visit.page.evaluate(() => (window as never as { prevented: boolean }).prevented)).toBe(
          false,
        );
      });

      it('ignores Ctrl+L and other keys', async () => {
        const visit = await afterGuard({ init: ON_MAC });
        for (const keys of ['Control+l', 'l', 'Meta+k', 'Meta+Shift+l', 'Meta+Alt+l']) {
          await visit.page.keyboard.press(keys);
          await visit.expectClosed();
        }
      });

      it('ignores Meta+L on other systems', async () => {
        const visit = await afterGuard();
        await visit.page.keyboard.press('Meta+l');
        await visit.expectClosed();
      });
    });
  });
}
