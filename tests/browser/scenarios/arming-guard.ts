import type { Popup } from '@svcforms/contracts';
import { atOnce } from '../at-once.ts';
import {
  BEHIND,
  goToAnotherWindow,
  leaveByTop,
  moveOutOfTop,
  scrollDownTo,
  showIntent,
  showTab,
} from '../gestures.ts';
import { GUARD_MS, type Fixture } from '../fixture.ts';

/** docs/reference/triggers.md#arming-guard */
export function armingGuardScenarios(fixture: () => Fixture): void {
  describe('the arming guard', () => {
    describe('exit, scroll, visible and intent within 15 seconds', () => {
      it('open nothing when the guard lifts: exit and intent wait for their signal', async () => {
        await atOnce(['exit', 'intent'] as const, async (trigger) => {
          const visit = await fixture().visit({ popup: { trigger } });
          await visit.pass(GUARD_MS * 4);
          await visit.expectClosed();
        });
      });

      it('delay scroll until second 15', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'scroll', scrollPercent: 20 } });
        await visit.pass(5000);
        await scrollDownTo(visit, 2000);
        await visit.pass(GUARD_MS - 5000 - 500);
        await visit.expectClosed();
        await visit.pass(500);
        await visit.expectOpen();
      });

      it('delay visible until second 15', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'visible', selector: '#top' } });
        await visit.pass(GUARD_MS - 500);
        await visit.expectClosed();
        await visit.pass(500);
        await visit.expectOpen();
      });
    });

    describe('time on page', () => {
      /** A visit whose form loads after three seconds. */
      const withLateForm = async (popup: Popup) => {
        const visit = await fixture().visit({ popup, tags: () => '' });
        const { page } = visit;
        let release = () => {};
        const isReleased = new Promise<void>((resolve) => (release = resolve));
        await page.route('**/embed/forms/*', async (route) => {
          await isReleased;
          await route.continue();
        });
        const requested = page.waitForRequest('**/embed/forms/*');
        await page.evaluate(
          ([base, id]) => {
            const tag = document.createElement('script');
            tag.src = `${base}/embed.js`;
            tag.setAttribute('data-svc-form-id', id);
            document.body.append(tag);
          },
          [fixture().baseUrl, visit.form.id] as const,
        );
        await requested;
        await visit.pass(3000);
        await visit.arm(async () => release());
        return visit;
      };

      it('counts from the start of the script, however late the form loads', async () => {
        const visit = await withLateForm({ trigger: 'delay', delayMs: 4000 });
        await visit.pass(900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });

      it('without interaction counts from when interactions are observed', async () => {
        const visit = await withLateForm({ trigger: 'inactivity', delayMs: 2000 });
        await visit.pass(1900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });

      it('of a page in a background tab, or prerendered, counts from when it is seen', async () => {
        const visit = await fixture().visit({ attributes: 'data-svc-trigger="delay:2000"', init: BEHIND });
        await visit.pass(60_000);
        await visit.expectClosed();
        expect(visit.counted).toEqual([]);
        await showTab(visit.page);
        await visit.pass(1900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });
    });

    it('reads a state when it lifts, and ignores a state that has ended by then', async () => {
      const popup = { trigger: 'scroll', scrollPercent: 20 } as const;
      const back = await fixture().visit({ popup });
      await scrollDownTo(back, 2000);
      await scrollDownTo(back, 0);
      await back.pass(GUARD_MS + 1000);
      await back.expectClosed();
    });

    describe('a gesture inside the guard opens nothing; repeated after it, it opens the popup', () => {
      it('with the cursor', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'exit' } });
        await visit.pass(5000);
        await leaveByTop(visit);
        await visit.pass(GUARD_MS);
        await visit.expectClosed();
        await leaveByTop(visit);
        await visit.expectOpen();
      });

      it('with a cursor that left just before the guard lifted and stayed outside', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'exit' } });
        await visit.pass(GUARD_MS - 500);
        await moveOutOfTop(visit.page);
        await visit.pass(3000);
        await visit.expectClosed();
      });

      it('with an intent event', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'intent' } });
        await visit.pass(GUARD_MS - 200);
        await showIntent(visit.page, 'hot');
        await visit.pass(1000);
        await visit.expectClosed();
        await showIntent(visit.page, 'hot');
        await visit.expectOpen();
      });

      it('with a window that loses focus', async () => {
        const early = await fixture().visit({ popup: { trigger: 'exit' } });
        await goToAnotherWindow(early);
        await early.pass(GUARD_MS);
        await early.expectClosed();
      });
    });

    describe('triggers without a guard', () => {
      it.each([
        ['delay', { trigger: 'delay', delayMs: 3000 }],
        ['inactivity', { trigger: 'inactivity', delayMs: 3000 }],
      ] as const)('%s opens after its own time', async (_, popup) => {
        const visit = await fixture().visit({ popup });
        await visit.pass(2900);
        await visit.expectClosed();
        await visit.pass(200);
        await visit.expectOpen();
      });

      it('click opens immediately', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'click', selector: '#top' } });
        await visit.page.click('#top');
        await visit.expectOpen();
      });

      it('apply to each half of `all` separately', async () => {
        const and = [
          { trigger: 'click', selector: '#top' },
          { trigger: 'visible', selector: '#top' },
        ] as never;
        const visit = await fixture().visit({ popup: { trigger: 'all', and } });
        await visit.page.click('#top');
        await visit.pass(GUARD_MS - 500);
        await visit.expectClosed();
        await visit.pass(500);
        await visit.expectOpen();
      });
    });

    describe('the halves of `all`, in either order', () => {
      const and = [{ trigger: 'exit' as const }, { trigger: 'delay' as const, delayMs: 30_000 }];

      it('exit at 20 seconds waits for the timer at 30', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'all', and } });
        await visit.pass(19_000);
        await leaveByTop(visit);
        await visit.pass(9000);
        await visit.expectClosed();
        await visit.pass(1200);
        await visit.expectOpen();
      });

      it('the timer at 30 seconds waits for exit', async () => {
        const visit = await fixture().visit({ attributes: 'data-svc-trigger="exit&delay:30000"' });
        await visit.pass(40_000);
        await visit.expectClosed();
        await leaveByTop(visit);
        await visit.expectOpen();
      });

      it('exit inside the guard is dropped and must be repeated', async () => {
        const visit = await fixture().visit({ popup: { trigger: 'all', and } });
        await visit.pass(5000);
        await leaveByTop(visit);
        await visit.pass(40_000);
        await visit.expectClosed();
        await leaveByTop(visit);
        await visit.expectOpen();
      });
    });
  });
}
