import type { FormField, FormSettings } from '@svcforms/contracts';
import { createForm } from '@svcforms/test-kit';
import { violations } from '../accessibility.ts';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { nextFrames } from '../gestures.ts';
import { openedVisit, openSoon, pressEscape, SOON, submitEmail } from '../popup-visit.ts';
import { ALL_FIELDS } from './renderer.ts';

type Settings = Pick<FormSettings, 'placement' | 'position'>;

const MODAL: Settings = { placement: 'modal' };
const SLIDE_IN: Settings = { placement: 'slide-in' };
const BAR: Settings = { placement: 'bar' };
const FULL_SCREEN: Settings = { placement: 'fullscreen' };
/** Popups that leave the page usable. */
const BESIDE = [
  ['a slide-in', SLIDE_IN],
  ['a bar', BAR],
] as const;
const POPUPS = [['a modal', MODAL], ...BESIDE, ['a full screen', FULL_SCREEN]] as const;
const PAGE =
  '<main><h1>A page</h1><input id="there" aria-label="There"><button id="button">button</button><div style="height:3000px"></div></main>';

/** docs/reference/popups.md#placements */
export function placementScenarios(fixture: () => Fixture): void {
  const opened = (settings: Settings, options: VisitOptions = {}) =>
    openedVisit(fixture(), { settings, body: PAGE, ...options });
  const boxOf = ({ page }: Visit) =>
    page.evaluate(() => {
      const dialog = document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as HTMLElement;
      const { left, top, right, bottom } = dialog.getBoundingClientRect();
      const gaps = { left, top, right: innerWidth - right, bottom: innerHeight - bottom };
      return {
        touches: Object.entries(gaps)
          .filter(([, gap]) => Math.abs(gap) < 20)
          .map(([side]) => side)
          .join(' '),
        isInside: Object.values(gaps).every((gap) => gap >= 0),
        overflow: dialog.scrollWidth - dialog.clientWidth,
      };
    });
  const activeId = ({ page }: Visit) => page.evaluate(() => document.activeElement?.id);
  const isFocusInside = ({ page }: Visit) =>
    page.evaluate(() => !!document.querySelector('svc-form')?.shadowRoot?.activeElement);

  describe('placements', () => {
    it.each<[Settings, string]>([
      [MODAL, ''],
      [SLIDE_IN, 'right bottom'],
      [{ ...SLIDE_IN, position: 'bottom-left' }, 'left bottom'],
      [{ ...SLIDE_IN, position: 'top-right' }, 'top right'],
      [{ ...SLIDE_IN, position: 'top-left' }, 'left top'],
      [BAR, 'left right bottom'],
      [{ ...BAR, position: 'top' }, 'left top right'],
      [FULL_SCREEN, 'left top right bottom'],
    ])('%j is at %s, even at 200 percent zoom, and fits into 320 pixels', async (settings, sides) => {
      const visit = await opened(settings, { contextOptions: { reducedMotion: 'reduce' } });
      expect(await boxOf(visit)).toEqual({ touches: sides, isInside: true, overflow: 0 });
      // Zoom halves the window in CSS pixels.
      await visit.page.setViewportSize({ width: 500, height: 350 });
      const { touches, ...zoomed } = await boxOf(visit);
      expect(touches).toContain(sides);
      expect(zoomed).toEqual({ isInside: true, overflow: 0 });
      await visit.page.setViewportSize({ width: 320, height: 256 });
      expect(await boxOf(visit)).toMatchObject({ isInside: true, overflow: 0 });
      await submitEmail(visit);
      await visit.page.click('[aria-label=Close]');
      await visit.expectClosed();
    });

    it('a bar has its buttons below the end of the fields where they need a line of their own', async () => {
      const visit = await opened(BAR, {
        popup: { ...SOON, decline: { enabled: true } },
        contextOptions: { reducedMotion: 'reduce', viewport: { width: 768, height: 600 } },
      });
      const { field, buttons } = await visit.page.evaluate(() => {
        const find = (selector: string) =>
          document.querySelector('svc-form')?.shadowRoot?.querySelector(selector) as Element;
        return {
          field: find('.field').getBoundingClientRect().toJSON() as DOMRect,
          buttons: find('.buttons').getBoundingClientRect().toJSON() as DOMRect,
        };
      });
      expect(buttons.top).toBeGreaterThanOrEqual(field.bottom);
      expect(buttons.right).toBeCloseTo(field.right);
    });

    it.each(POPUPS)('%s with every field has no violations, even in forced colors', async (_, settings) => {
      const visit = await opened(settings, {
        fields: ALL_FIELDS,
        popup: { ...SOON, decline: { enabled: true } },
        contextOptions: { reducedMotion: 'reduce' },
        fakeClock: false,
      });
      expect(await violations(visit.page)).toEqual([]);
      await visit.page.click('.primary');
      await visit.page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(visit.page)).toEqual([]);
      await visit.page.emulateMedia({ forcedColors: 'active' });
      expect(await violations(visit.page)).toEqual([]);
      const edge = await visit.page.evaluate(() => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(
          document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog') as Element,
        );
        return borderTopStyle === 'solid' && borderTopWidth !== '0px';
      });
      expect(edge).toBe(settings !== FULL_SCREEN);
    });

    it.each(POPUPS)('%s works under a strict policy and moves nothing', async (_, settings) => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        settings,
        popup: SOON,
        body: '<h1>x</h1><p>text</p>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        head: `<script nonce="abc">window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({type: 'layout-shift', buffered: true})</script>`,
        tags: (form) => `<script nonce="abc" src="${base}/embed.js" data-svc-form-id="${form.id}"></script>`,
      });
      await openSoon(visit);
      await nextFrames(visit.page);
      expect(await visit.page.evaluate('shift')).toBe(0);
      await submitEmail(visit);
      expect(visit.problems).toEqual([]);
      expect(visit.counted).toEqual(['shown', 'converted']);
    });

    describe('follow prefers-reduced-motion', () => {
      const fields: FormField[] = [
        { name: 'email', type: 'email', label: 'Email' },
        { name: 'often', type: 'radio', label: 'How often?', options: [{ value: 'week', label: 'Weekly' }] },
        { name: 'stars', type: 'rating', label: 'How was it?' },
      ];

      it.each([
        ['a modal', MODAL, 'rise'],
        ['a slide-in', SLIDE_IN, 'slide'],
        ['a bar', BAR, 'slide'],
        ['a full screen', FULL_SCREEN, 'appear'],
      ] as const)('%s moves only if the visitor has no preference', async (_, settings, animation) => {
        const moving = await opened(settings, { fields, contextOptions: { reducedMotion: 'no-preference' } });
        expect(await moving.page.evaluate(motionsOf)).toContain(`DIALOG ${animation}`);
        await submitEmail(moving);
        expect(await moving.page.evaluate(motionsOf)).toContain('DIV::before rise');
        const still = await opened(settings, { fields, contextOptions: { reducedMotion: 'reduce' } });
        expect(await still.page.evaluate(motionsOf)).toEqual([]);
        await submitEmail(still);
        expect(await still.page.evaluate(motionsOf)).toEqual([]);
      });

      it('an inline form moves only if the visitor has no preference', async () => {
        const shown = async (reducedMotion: 'reduce' | 'no-preference') => {
          const visit = await fixture().visit({
            fields,
            contextOptions: { reducedMotion },
            fakeClock: false,
          });
          await visit.page.waitForSelector('form');
          return visit;
        };
        expect(await (await shown('no-preference')).page.evaluate(motionsOf)).toContain('BUTTON transition');
        const still = await shown('reduce');
        expect(await still.page.evaluate(motionsOf)).toEqual([]);
        await submitEmail(still);
        expect(await still.page.evaluate(motionsOf)).toEqual([]);
      });
    });

    it('an inline form has no violations in forced colors, and fits into 320 pixels', async () => {
      const { page } = await fixture().visit({
        fields: ALL_FIELDS,
        body: PAGE,
        contextOptions: { viewport: { width: 320, height: 256 }, forcedColors: 'active' },
        fakeClock: false,
      });
      await page.waitForSelector('form');
      await page.click('.primary');
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    });

    it.each<readonly [string, Settings | undefined]>([['an inline form', undefined], ...POPUPS])(
      '%s wraps long words, buttons and scales on a phone',
      async (_, settings) => {
        const word = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2);
        const form = await createForm(fixture().client, {
          name: word,
          intro: `https://example.com/${word}`,
          fields: [
            { name: 'note', type: 'paragraph', label: word },
            { name: 'scale', type: 'rating', min: 0, max: 10, label: word, help: word },
          ],
          settings: {
            ...settings,
            submitLabel: 'Send this to us and get an offer that nobody else gets',
            thankYou: { title: word, message: `https://example.com/${word}` },
            ...(settings && {
              popup: { enabled: true, ...SOON, decline: { enabled: true, text: word.slice(0, 80) } },
            }),
          },
        });
        const visit = await fixture().visit({
          form,
          body: PAGE,
          contextOptions: { viewport: { width: 320, height: 600 } },
        });
        if (settings) await openSoon(visit);
        const { page } = visit;
        const overflow = () =>
          page
            .locator('.root')
            .evaluate((root) => [
              root.scrollWidth - root.clientWidth,
              document.documentElement.scrollWidth - innerWidth,
            ]);
        await page.waitForSelector('.primary');
        expect(await overflow()).toEqual([0, 0]);
        await page.click('.primary');
        await page.waitForSelector('.done');
        expect(await overflow()).toEqual([0, 0]);
      },
    );

    it.each(BESIDE)('%s leaves the page usable, and its focus where it is', async (_, settings) => {
      const visit = await fixture().visit({ settings, popup: SOON, body: PAGE });
      const { page } = visit;
      await page.focus('#there');
      await openSoon(visit);
      await page.keyboard.type('abc');
      expect(await page.inputValue('#there')).toBe('abc');
      expect(await page.evaluate(() => document.documentElement.hasAttribute('style'))).toBe(false);
      // The name is announced instead.
      await visit.pass(200);
      expect(await page.getByRole('status').textContent()).toBe('Stay in touch');
      expect(await page.getByRole('dialog', { name: 'Stay in touch' }).count()).toBe(1);
      await page.mouse.move(20, 350);
      await page.mouse.wheel(0, 600);
      await page.waitForFunction(() => scrollY > 0);
      // Escape has a meaning of its own in a control of the page.
      await page.keyboard.press('Escape');
      expect(await visit.isOpen()).toBe(true);
      await page.focus('#button');
      await pressEscape(visit);
      expect(await activeId(visit)).toBe('button');
      expect(visit.counted).toEqual(['shown']);
    });

    it.each(BESIDE)('%s announces its title as it is shown, with answers', async (_, settings) => {
      const form = await createForm(fixture().client, {
        title: 'Hello {{first}}',
        fields: [{ name: 'first', type: 'hidden', defaultValue: 'Ada' }],
        settings: { ...settings, popup: { enabled: true, ...SOON } },
      });
      const visit = await opened(settings, { form });
      await visit.pass(200);
      expect(await visit.page.getByRole('status').allTextContents()).toContain('Hello Ada');
    });

    it.each(BESIDE)('%s is reached by Tab and left by Tab, and returns the focus', async (_, settings) => {
      const visit = await fixture().visit({
        settings,
        popup: { ...SOON, decline: { enabled: true } },
        body: '<main><h1>A page</h1><button id="button">button</button></main>',
      });
      const { page } = visit;
      await page.focus('#button');
      await openSoon(visit);
      for (const name of ['email', 'Submit', 'No thanks', 'Close']) {
        await page.keyboard.press('Tab');
        expect(
          await page.evaluate(() => {
            const active = document.querySelector('svc-form')?.shadowRoot?.activeElement;
            return active?.getAttribute('type') === 'email'
              ? 'email'
              : (active?.getAttribute('aria-label') ?? active?.textContent);
          }),
        ).toBe(name);
      }
      await page.keyboard.press('Tab');
      expect(await isFocusInside(visit)).toBe(false);
      await page.keyboard.press('Shift+Tab');
      expect(await isFocusInside(visit)).toBe(true);
      await pressEscape(visit);
      expect(await activeId(visit)).toBe('button');
    });

    it.each(BESIDE)('%s that the visitor asked for gets the focus', async (_, settings) => {
      const visit = await fixture().visit({
        settings,
        popup: { trigger: 'click', selector: '#button' },
        body: PAGE,
      });
      await visit.page.click('#button');
      await visit.expectOpen();
      expect(await isFocusInside(visit)).toBe(true);
      await pressEscape(visit);
      expect(await activeId(visit)).toBe('button');
      await visit.page.evaluate((id) => {
        (window as never as { SvcForms: { open: (id: string) => void } }).SvcForms.open(id);
      }, visit.form.id);
      await visit.expectOpen();
      expect(await isFocusInside(visit)).toBe(true);
    });

    it('are above every element of the page, and below its dialogs, which keep Escape', async () => {
      const visit = await opened(BAR, {
        body: `${PAGE}<div style="position:fixed;inset:0;z-index:2147483647;background:red"></div><dialog id="own">own</dialog>`,
      });
      const top = () =>
        visit.page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight - 10)?.tagName);
      expect(await top()).toBe('SVC-FORM');
      await visit.page.evaluate(() => (document.querySelector('#own') as HTMLDialogElement).showModal());
      expect(await top()).not.toBe('SVC-FORM');
      await visit.page.keyboard.press('Escape');
      await visit.page.waitForFunction(() => !document.querySelector('#own[open]'));
      expect(await visit.isOpen()).toBe(true);
    });

    it('close on Escape beside an open dialog of the page, but not inside of it', async () => {
      const visit = await opened(SLIDE_IN, {
        body: `${PAGE}<dialog id="own" open><button id="in">in</button></dialog>`,
      });
      await visit.page.focus('#in');
      await visit.page.keyboard.press('Escape');
      expect(await visit.isOpen()).toBe(true);
      await visit.page.focus('#button');
      await pressEscape(visit);
    });

    it.each(BESIDE)(
      '%s is usable over a modal dialog that the page has opened before',
      async (_, settings) => {
        const visit = await fixture().visit({
          settings,
          popup: SOON,
          body: `${PAGE}<dialog id="own">own</dialog>`,
        });
        await visit.page.evaluate(() => (document.querySelector('#own') as HTMLDialogElement).showModal());
        await openSoon(visit);
        await submitEmail(visit);
        await pressEscape(visit);
        expect(await visit.page.locator('#own[open]').count()).toBe(1);
      },
    );

    it('a full screen keeps the focus inside and the page from scrolling', async () => {
      const visit = await opened(FULL_SCREEN);
      for (let n = 0; n < 5; n++) {
        expect(await visit.page.evaluate(() => document.activeElement?.id)).not.toBe('button');
        await visit.page.keyboard.press('Tab');
      }
      await visit.page.mouse.move(20, 20);
      await visit.page.mouse.wheel(0, 600);
      await nextFrames(visit.page);
      expect(await visit.page.evaluate(() => scrollY)).toBe(0);
      await pressEscape(visit);
      expect(await visit.page.evaluate(() => document.documentElement.hasAttribute('style'))).toBe(false);
    });

    it('close by the decline button, and suppress the popup like a modal', async () => {
      const visit = await opened(SLIDE_IN, { popup: { ...SOON, decline: { enabled: true } } });
      await visit.page.getByRole('button', { name: 'No thanks' }).click();
      await visit.expectClosed();
      expect(visit.counted).toEqual(['shown', 'declined']);
      await visit.arm(() => visit.page.reload());
      await visit.pass(1000);
      await visit.expectClosed();
    });

    it('of a script tag: data-svc-inline shows the form inline, data-svc-trigger makes a modal', async () => {
      const inline = await fixture().visit({
        settings: BAR,
        popup: SOON,
        attributes: 'data-svc-inline',
        fakeClock: false,
      });
      await inline.page.waitForSelector('svc-form.svc-inline form');
      const modal = await fixture().visit({
        settings: { placement: 'inline' },
        attributes: 'data-svc-trigger="delay:100"',
      });
      await openSoon(modal);
      expect(await modal.page.evaluate(isModal)).toBe(true);
      const named = await fixture().visit({
        settings: { placement: 'inline' },
        popup: SOON,
        fakeClock: false,
      });
      await named.page.waitForSelector('svc-form.svc-inline form');
    });
  });
}

/** Runs in the page. */
function isModal(): boolean {
  return !!document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog:modal');
}

/**
 * Runs in the page. Returns the elements of the form that move: `TAG animation` or
 * `TAG transition`.
 */
function motionsOf(): string[] {
  const elements = document.querySelector('svc-form')?.shadowRoot?.querySelectorAll('*') ?? [];
  return [...elements].flatMap((element) =>
    ['', '::before', '::after'].flatMap((pseudo) => {
      const { animationName, transitionDuration } = getComputedStyle(element, pseudo || null);
      const of = element.tagName + pseudo;
      return [
        ...(animationName === 'none' ? [] : [`${of} ${animationName}`]),
        ...(/[1-9]/.test(transitionDuration) ? [`${of} transition`] : []),
      ];
    }),
  );
}
