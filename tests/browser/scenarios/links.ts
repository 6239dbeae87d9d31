import { poll } from '@svcforms/test-kit';
import { scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

const UNKNOWN = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

/** docs/reference/embed.md#links */
export function linkScenarios(fixture: () => Fixture): void {
  const anyForm = async (name = 'Other') => (await fixture().visit({ tags: () => '', name })).form;
  const openTab = async ({ context, page }: Visit): Promise<void> => {
    const [tab] = await Promise.all([
      context.waitForEvent('page', { timeout: 10_000 }),
      page.click('#link', { noWaitAfter: true }),
    ]);
    await tab.waitForURL('**/next');
  };

  describe('links with data-svc-open', () => {
    const link = (formId: string, attributes: string) =>
      `<h1>x</h1><a id="link" href="/next" ${attributes} data-svc-open="${formId}"><b>open</b></a>
       <button data-svc-open="${formId}">button</button><p id="here">here</p>`;
    /** A page whose tag names no form, with links that open one. */
    const visitWith = async (formId?: string, attributes = '', options: VisitOptions = {}) => {
      const form = await anyForm();
      return fixture().visit({
        form,
        tags: (_, base) => scriptTag(base, ''),
        body: link(formId ?? form.id, attributes),
        ...options,
      });
    };
    const follow = async ({ page }: Visit, path = '**/next') => {
      await page.click('#link');
      await page.waitForURL(path, { timeout: 10_000 });
    };
    /** Leaves out the messages of the browser itself about failed requests. */
    const problemsOf = ({ problems }: Visit) =>
      problems.filter((problem) => !problem.startsWith('error: Failed to load resource'));
    const cutOff = ({ page }: Visit, paths: string) =>
      page.route(`${fixture().baseUrl}${paths}**`, (route) => route.abort());
    const waitForNotFound = ({ page }: Visit) =>
      page.waitForResponse((response) => response.status() === 404);

    it.each(['target="_blank"', 'target="_top"', 'target="_blank" rel="noopener"'])(
      'open the form with %s',
      async (attributes) => {
        const visit = await visitWith(undefined, attributes);
        const tabs = visit.context.pages().length;
        await visit.page.click('#link');
        await visit.expectOpen();
        expect(visit.context.pages()).toHaveLength(tabs);
        expect(new URL(visit.page.url()).pathname).toBe('/');
      },
    );

    it.each([
      [{ modifiers: ['Control'] }, ''],
      [{ modifiers: ['Meta'] }, ''],
      [{ modifiers: ['Shift'] }, ''],
      [{ button: 'middle' }, ''],
      [{}, 'download'],
    ])('leave %j %s to the browser', async (options, attributes) => {
      const visit = await visitWith(undefined, attributes);
      await visit.page.click('#link', options as never);
      await visit.expectClosed();
      expect(visit.requests.filter((request) => request.includes('/forms/'))).toEqual([]);
    });

    it('are followed when the form is deleted', async () => {
      const visit = await visitWith(UNKNOWN);
      await follow(visit);
      expect(problemsOf(visit)).toEqual([]);
    });

    it.each(['/embed/forms/', '/embed/ui'])('are followed when %s is unreachable', async (paths) => {
      const visit = await visitWith();
      await cutOff(visit, paths);
      await follow(visit);
      expect(problemsOf(visit)).toEqual([]);
    });

    it.each(['/embed/forms/', '/embed/ui'])(
      'are followed when %s takes seconds, and nothing opens later',
      async (paths) => {
        const visit = await visitWith(undefined, 'target="_blank"', { fakeClock: false });
        let release: () => void = () => {};
        const isReleased = new Promise<void>((resolve) => (release = resolve));
        await visit.page.route(`${fixture().baseUrl}${paths}**`, async (route) => {
          await isReleased;
          await route.continue();
        });
        await openTab(visit);
        // The next click tries again.
        await openTab(visit);
        release();
        await visit.expectClosed();
        await visit.page.click('button');
        await visit.expectOpen();
      },
    );

    it('are followed natively: into another tab, and within the page', async () => {
      const tab = await visitWith(UNKNOWN, 'target="_blank"');
      await openTab(tab);
      expect(new URL(tab.page.url()).pathname).toBe('/');
      const within = await visitWith(UNKNOWN, '', {
        body: `<h1>x</h1><a id="link" href="#here" data-svc-open="${UNKNOWN}">open</a><p id="here">here</p>`,
      });
      await follow(within, '**/#here');
    });

    it('are not followed when another script handles the click', async () => {
      const visit = await visitWith(UNKNOWN, '', {
        init: 'addEventListener("click", (event) => event.preventDefault(), true)',
      });
      const notFound = waitForNotFound(visit);
      await visit.page.click('#link');
      await notFound;
      await visit.expectClosed();
      expect(new URL(visit.page.url()).pathname).toBe('/');
    });

    it('are not followed when a handler of the page cancels the click after ours', async () => {
      const visit = await visitWith(UNKNOWN, '', {
        init: 'addEventListener("click", (event) => event.preventDefault())',
      });
      const notFound = waitForNotFound(visit);
      await visit.page.click('#link');
      await notFound;
      await visit.expectClosed();
      expect(new URL(visit.page.url()).pathname).toBe('/');
    });

    it('dispatch one click to the page', async () => {
      const visit = await visitWith(UNKNOWN, 'target="_blank" onclick="clicks++"', {
        init: 'window.clicks = 0; addEventListener("click", () => clicks++)',
      });
      await openTab(visit);
      expect(await visit.page.evaluate('clicks')).toBe(2);
    });

    const elsewhere = (attributes: string) => [
      `<svg width="99" height="99"><a href="/next" ${attributes}><rect width="99" height="99"/></a></svg>`,
      `<svg width="99" height="99"><a xlink:href="/next" ${attributes}><rect width="99" height="99"/></a></svg>`,
      `<img usemap="#map" width="99" height="99" alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
       <map name="map"><area shape="default" href="/next" alt="" ${attributes}></map>`,
    ];
    it.each([0, 1, 2])('open the form in drawings and image maps, or are followed: %#', async (index) => {
      const clickIn = async (formId?: string) => {
        const form = await anyForm();
        const visit = await fixture().visit({
          form,
          tags: (_, base) => scriptTag(base, ''),
          body: `<h1>x</h1><div style="position:fixed;left:0;top:0">${elsewhere(`data-svc-open="${formId ?? form.id}"`)[index]}</div>`,
        });
        await visit.page.mouse.click(50, 50);
        return visit;
      };
      const visit = await clickIn();
      await visit.expectOpen();
      expect(new URL(visit.page.url()).pathname).toBe('/');
      const followed = await clickIn(UNKNOWN);
      await followed.page.waitForURL('**/next', { timeout: 10_000 });
    });

    it('throw nothing and do nothing on a button', async () => {
      const visit = await visitWith(UNKNOWN);
      const notFound = waitForNotFound(visit);
      await visit.page.click('button');
      await notFound;
      await cutOff(visit, '/embed/');
      const isCutOff = visit.page.waitForEvent('requestfailed');
      await visit.page.click('button');
      await isCutOff;
      expect(await visit.isOpen()).toBe(false);
      expect(new URL(visit.page.url()).pathname).toBe('/');
      expect(problemsOf(visit)).toEqual([]);
    });
  });

  describe('links of a click trigger', () => {
    const options: VisitOptions = {
      attributes: 'data-svc-trigger="click:#link"',
      body: '<h1>x</h1><a id="link" href="/next" target="_blank">open</a>',
    };

    it('open the form with target=_blank', async () => {
      const visit = await fixture().visit(options);
      await visit.page.click('#link');
      await visit.expectOpen();
    });

    it('are followed when the renderer is unreachable', async () => {
      const visit = await fixture().visit({ ...options, isUnarmed: true });
      await visit.page.route('**/embed/ui*', (route) => route.abort());
      await visit.arm(() => visit.page.reload());
      await openTab(visit);
      expect(await visit.isOpen()).toBe(false);
    });
  });

  describe('opening a form while another one is open', () => {
    const title = ({ page }: Visit) => page.locator('dialog #title').textContent();
    const openedWithOther = async () => {
      const other = await anyForm();
      const visit = await fixture().visit({
        name: 'One',
        body: `<h1>x</h1><a id="link" href="/next" data-svc-open="${other.id}">other</a>`,
        attributes: 'data-svc-trigger="click:h1"',
      });
      await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
      await visit.expectOpen();
      await visit.page.fill('svc-form input[type=email]', 'ada@example.com');
      return { visit, other };
    };

    it('keeps the input, follows no link, and counts nothing', async () => {
      const { visit, other } = await openedWithOther();
      for (const code of [
        `SvcForms.open('${other.id}')`,
        `document.dispatchEvent(new CustomEvent('svc:open', { detail: { formId: '${other.id}' } }))`,
        `document.querySelector('#link').click()`,
        `SvcForms.open('${visit.form.id}')`,
      ]) {
        await visit.page.evaluate(`{ ${code} }`);
        await visit.page.evaluate(`fetch('${fixture().baseUrl}/embed/forms/${other.id}.json')`);
        await visit.waitForUi();
        expect(await title(visit)).toBe('One');
        expect(await visit.page.locator('svc-form').count()).toBe(1);
      }
      expect(await visit.page.inputValue('svc-form input[type=email]')).toBe('ada@example.com');
      expect(new URL(visit.page.url()).pathname).toBe('/');
      expect(visit.counted).toEqual(['shown']);
    });

    it('works immediately after SvcForms.close()', async () => {
      const { visit, other } = await openedWithOther();
      await visit.page.evaluate(`SvcForms.close(); SvcForms.open('${other.id}')`);
      await poll(async () => (await visit.isOpen()) && (await title(visit)) === 'Other', {
        what: 'the other form',
      });
      expect(await visit.page.locator('svc-form').count()).toBe(1);
    });
  });
}
