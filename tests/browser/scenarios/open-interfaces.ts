import type { Popup, SubmissionOut } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import { scriptTag, type Fixture } from '../fixture.ts';

const UNKNOWN = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

/** docs/reference/embed.md#open-a-popup-from-the-page */
export function openInterfaceScenarios(fixture: () => Fixture): void {
  const popup: Popup = {
    trigger: 'exit',
    maxShows: 1,
    pages: { include: ['/nowhere'] },
    devices: 'mobile',
  };
  const closeAndReopen = async (
    visit: Awaited<ReturnType<Fixture['visit']>>,
    open: () => Promise<unknown>,
  ) => {
    for (let i = 0; i < 3; i++) {
      await open();
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.expectClosed();
    }
    expect(visit.counted).toEqual(['shown', 'shown', 'shown']);
  };

  describe('data-svc-open', () => {
    it('opens on every click, whatever the caps, page targeting and devices', async () => {
      const visit = await fixture().visit({ popup });
      await visit.page.evaluate(
        (id) =>
          document.body.insertAdjacentHTML(
            'afterbegin',
            `<button data-svc-open="${id}"><b>open</b></button>`,
          ),
        visit.form.id,
      );
      await closeAndReopen(visit, () => visit.page.click('text=open'));
    });

    it('works with a tag that names no form, and on a link', async () => {
      const known = await fixture().visit({ popup });
      const visit = await fixture().visit({
        form: known.form,
        tags: (_, base) => scriptTag(base, ''),
        body: `<h1>x</h1><a href="/next" data-svc-open="${known.form.id}">open</a>`,
      });
      await visit.page.click('text=open');
      await visit.expectOpen();
      expect(new URL(visit.page.url()).pathname).toBe('/');
    });

    it('returns focus to the clicked element', async () => {
      const visit = await fixture().visit({ popup });
      await visit.page.evaluate(
        (id) => document.body.insertAdjacentHTML('afterbegin', `<button data-svc-open="${id}">open</button>`),
        visit.form.id,
      );
      await visit.page.click('text=open');
      await visit.expectOpen();
      await visit.page.keyboard.press('Escape');
      await visit.expectClosed();
      expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('open');
    });
  });

  it('opens the modal by window.SvcForms.open and closes it by close', async () => {
    const visit = await fixture().visit({ popup });
    const call = (name: 'open' | 'close') =>
      visit.page.evaluate(
        ([method, id]) =>
          (window as never as { SvcForms: Record<string, (id?: string) => void> }).SvcForms[method]?.(id),
        [name, visit.form.id] as const,
      );
    await closeAndReopen(visit, () => call('open'));
    await call('open');
    await visit.expectOpen();
    await call('close');
    await visit.expectClosed();
  });

  it('does not open a form that the page closes while it is loading', async () => {
    const visit = await fixture().visit({ popup });
    for (const microtasks of [0, 2, 4, 6, 8]) {
      await visit.page.evaluate(`(async () => {
        void SvcForms.open('${visit.form.id}');
        for (let i = 0; i < ${microtasks}; i++) await null;
        SvcForms.close();
      })()`);
      await visit.expectClosed();
    }
    expect(visit.counted).toEqual([]);
    await visit.page.evaluate(`SvcForms.close(); SvcForms.open('${visit.form.id}')`);
    await visit.expectOpen();
  });

  it('opens the modal by svc:open with detail.formId', async () => {
    const visit = await fixture().visit({ popup });
    await closeAndReopen(visit, () =>
      visit.page.evaluate(
        (formId) => document.dispatchEvent(new CustomEvent('svc:open', { detail: { formId } })),
        visit.form.id,
      ),
    );
  });

  it('opens for a visitor who has declined', async () => {
    const visit = await fixture().visit({
      popup: { trigger: 'delay', delayMs: 100, decline: { enabled: true } },
    });
    await visit.pass(200);
    await visit.expectOpen();
    await visit.page.click('text=No thanks');
    await visit.expectClosed();
    await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
    await visit.expectOpen();
  });

  it('starts the frequency cap of the triggers on a passive close', async () => {
    const visit = await fixture().visit({ popup: { trigger: 'delay', delayMs: 5000 } });
    await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
    await visit.expectOpen();
    await visit.page.keyboard.press('Escape');
    await visit.expectClosed();
    await visit.pass(6000);
    await visit.expectClosed();
  });

  it('ignores and does not count towards maxShows', async () => {
    const visit = await fixture().visit({ popup: { trigger: 'delay', delayMs: 5000, maxShows: 1 } });
    await visit.page.evaluate(
      (id) => (window as never as { SvcForms: { open(id: string): void } }).SvcForms.open(id),
      visit.form.id,
    );
    await visit.expectOpen();
    await visit.page.evaluate(() => (window as never as { SvcForms: { close(): void } }).SvcForms.close());
    await visit.expectClosed();
    await visit.pass(5000);
    await visit.expectOpen();
  });

  it('ignores an unknown form id in every interface', async () => {
    const visit = await fixture().visit({ popup });
    const before = await visit.page.content();
    const calls = [
      `SvcForms.open('${UNKNOWN}')`,
      'SvcForms.open(); SvcForms.open(null); SvcForms.open({})',
      `SvcForms.open('constructor'); SvcForms.open('__proto__')`,
      `document.dispatchEvent(new CustomEvent('svc:open', {detail: {formId: '${UNKNOWN}'}}))`,
      `document.querySelector('h1').setAttribute('data-svc-open', '${UNKNOWN}'); document.querySelector('h1').click()`,
    ];
    for (const code of calls) {
      const isRefused = visit.page.waitForResponse((response) => response.status() === 404);
      await visit.page.evaluate(`{ ${code} }`);
      await (await isRefused).finished();
      await visit.expectClosed();
    }
    await visit.page.evaluate(`document.dispatchEvent(new CustomEvent('svc:open'))`);
    await visit.expectClosed();
    // Forms of the page still open.
    await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
    await visit.expectOpen();
    await visit.page.evaluate('SvcForms.close()');
    // The browser logs the 404 on the console.
    expect(visit.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    expect((await visit.page.content()).replace(/ data-svc-open="[^"]*"/, '')).toBe(before);
  });

  it('sends counts without a preflight, and without cookies of a service on the same site', async () => {
    const visit = await fixture().visit({ popup });
    await visit.context.addCookies([{ name: 'session', value: '1', url: fixture().baseUrl }]);
    const sent = visit.page.waitForRequest('**/events');
    await visit.page.evaluate(`SvcForms.open('${visit.form.id}')`);
    expect((await sent).headers()['content-type']).toMatch(/^text\/plain/);
    expect((await (await sent).response())?.status()).toBe(204);
    expect(await (await sent).headerValue('cookie')).toBeNull();
  });

  it('opens each of several forms by its own trigger and its own id', async () => {
    const other = (await fixture().visit({ tags: () => '', name: 'Other' })).form;
    const visit = await fixture().visit({
      name: 'One',
      tags: (form, base) =>
        scriptTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="delay:1000"`) +
        scriptTag(base, `data-svc-form-id="${other.id}" data-svc-trigger="click:h1"`),
    });
    const title = () => visit.page.locator('dialog #title').textContent();
    for (const [open, name] of [
      [() => visit.pass(1000), 'One'],
      [() => visit.page.click('h1'), 'Other'],
      [() => visit.page.evaluate(`SvcForms.open('${visit.form.id}')`), 'One'],
      [() => visit.page.evaluate(`SvcForms.open('${other.id}')`), 'Other'],
    ] as const) {
      await open();
      await visit.expectOpen();
      expect(await title()).toBe(name);
      await visit.page.keyboard.press('Escape');
      await visit.expectClosed();
    }
  });

  it.each([
    ['the tag of another form', '', [], ''],
    ['a tag that names no form', 'data-svc-share-values data-svc-prefill', ['data'], 'ada@example.com'],
    [
      'a tag with an empty form id',
      'data-svc-form-id="" data-svc-share-values data-svc-prefill',
      ['data'],
      'ada@example.com',
    ],
  ])('takes the permissions of %s as they are meant', async (_, own, shared, email) => {
    const other = (await fixture().visit({ tags: () => '', name: 'Other' })).form;
    const visit = await fixture().visit({
      path: '/?email=ada@example.com',
      tags: (form, base) =>
        scriptTag(
          base,
          `data-svc-form-id="${form.id}" data-svc-trigger="delay:900000" data-svc-lang="de" data-svc-share-values data-svc-data-layer data-svc-prefill data-svc-page`,
        ) + (own && scriptTag(base, own)),
    });
    const { page } = visit;
    await page.evaluate(`window.heard = [];
      document.addEventListener('svc:submitted', ({ detail }) => heard.push(detail));
      SvcForms.open('${other.id}')`);
    await visit.expectOpen();
    expect(await page.inputValue('svc-form input[type=email]')).toBe(email);
    expect(await page.getAttribute('dialog', 'lang')).toBe(own ? 'en' : 'de');
    await page.fill('svc-form input[type=email]', 'bob@example.com');
    await page.click('.primary');
    await page.waitForSelector('.done');
    expect(await page.evaluate('heard.map(Object.keys)')).toEqual([
      ['formId', 'placement', 'submissionId', ...shared],
    ]);
    expect(await page.evaluate('window.dataLayer')).toBeUndefined();
    const { body } = await fixture().client.get<SubmissionOut[]>(`/api/forms/${other.id}/submissions`, {
      expect: 200,
    });
    expect(body.data.map(({ metadata }) => metadata.page)).toEqual([undefined]);
  });

  it('leaves the page unchanged when the form id of a tag is unknown', async () => {
    const visit = await fixture().visit({
      tags: (_, base) => scriptTag(base, `data-svc-form-id="${UNKNOWN}"`),
    });
    // The browser logs the 404 on the console.
    await poll(() => visit.problems.length, { what: 'the 404' });
    await visit.expectClosed();
    expect(visit.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });
}
