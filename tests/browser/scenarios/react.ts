import { poll } from '@svcforms/test-kit';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { bundleReactApp, type ReactVersion } from '../react-app.ts';

const PAGE = '<h1>x</h1><div id="app"></div>';
type Heard = [name: string, about: string, detail: Record<string, unknown>];

/** sdks/react/README.md */
export function reactScenarios(fixture: () => Fixture): void {
  describe.each<ReactVersion>([18, 19])('the component of React %s', (version) => {
    let app: string;
    beforeAll(async () => {
      app = await bundleReactApp(version);
    });

    const opened = async (options: VisitOptions = {}) => {
      const visit = await fixture().visit({
        fakeClock: false,
        isUnarmed: true,
        body: PAGE,
        tags: () => '',
        ...options,
      });
      await visit.page.addScriptTag({ content: app });
      expect(await visit.page.evaluate('version.split(".")[0]')).toBe(String(version));
      return visit;
    };
    const show = ({ page, form }: Visit, props: Record<string, unknown> = {}, tell = '') =>
      page.evaluate<void>(
        `show(${JSON.stringify({ formId: form.id, src: `${fixture().baseUrl}/embed.js`, ...props })}, '${tell}')`,
      );
    const shown = ({ page }: Visit, name = 'Stay in touch') =>
      page.waitForSelector(`#app svc-form >> text=${name}`);
    const heard = ({ page }: Visit) => page.evaluate<Heard[]>('heard');
    const names = async (visit: Visit) => (await heard(visit)).map(([name]) => name);
    const count = ({ page }: Visit) => page.locator('svc-form').count();
    /** React advertises its tools. */
    const problems = (visit: Visit) => visit.problems.filter((text) => !text.includes('DevTools'));

    it('shows one form in StrictMode, and reports its submission', async () => {
      const visit = await opened();
      await show(visit, { className: 'contact', prefill: false, sendPage: true });
      await shown(visit);
      expect(await count(visit)).toBe(1);
      expect(await visit.page.locator('#app > div.contact').count()).toBe(1);
      await visit.page.click('#app .primary');
      await visit.page.fill('#app input[type=email]', 'ada@example.com');
      await visit.page.click('#app .primary');
      await visit.page.waitForSelector('#app .done');
      expect(await names(visit)).toEqual(['onShown', 'onError', 'onSubmitted']);
      const [, refused, submitted] = (await heard(visit)).map(([, , detail]) => detail);
      expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', fields: ['email'] });
      expect(submitted).toMatchObject({
        formId: visit.form.id,
        submissionId: expect.stringMatching(/^sub_/),
      });
      expect(submitted).not.toHaveProperty('data');
      expect(visit.requests.filter((request) => request === 'GET /embed.js')).toHaveLength(1);
      expect(problems(visit)).toEqual([]);
    });

    it('removes the form when it unmounts, even before the form has loaded', async () => {
      const visit = await opened();
      await show(visit);
      await visit.page.evaluate('show()');
      await show(visit);
      await shown(visit);
      await visit.page.evaluate('show()');
      await poll(async () => (await count(visit)) === 0, { what: 'the removal' });
      expect(await visit.page.innerHTML('#app')).toBe('');
      const before = (await heard(visit)).length;
      await visit.page.evaluate(
        `document.dispatchEvent(new CustomEvent('svc:shown', { detail: { formId: '${visit.form.id}', placement: 'inline' } }))`,
      );
      expect(await heard(visit)).toHaveLength(before);
      expect(problems(visit)).toEqual([]);
    });

    it('shows another form for another id, and keeps the form for other handlers', async () => {
      const visit = await opened();
      const other = await fixture().visit({ name: 'Other', tags: () => '' });
      await show(visit);
      await shown(visit);
      await visit.page.fill('#app input[type=email]', 'ada@');
      await show(visit, {}, 'new ');
      expect(await visit.page.inputValue('#app input[type=email]')).toBe('ada@');
      await visit.page.click('#app .primary');
      await poll(async () => (await names(visit)).includes('new onError'), { what: 'the new handler' });
      await show(visit, { formId: other.form.id });
      await shown(visit, 'Other');
      expect(await count(visit)).toBe(1);
      expect((await heard(visit)).at(-1)?.slice(0, 2)).toEqual(['onShown', other.form.id]);
      await show(visit, { formId: other.form.id, lang: 'de' });
      await visit.page.waitForSelector('#app .root[lang=de]');
      expect(await count(visit)).toBe(1);
    });

    it('reports that the script can’t be loaded, and tries again', async () => {
      const visit = await opened();
      const src = `${fixture().baseUrl}/missing/embed.js`;
      await show(visit, { src });
      await poll(async () => (await heard(visit)).length > 0, { what: 'the error' });
      expect((await heard(visit)).map((entry) => entry.slice(0, 2))).toEqual([
        ['onLoadError', `SvcForms: ${src} could not be loaded`],
      ]);
      await show(visit);
      await shown(visit);
    });

    it('opens and closes a popup', async () => {
      const visit = await opened();
      const open = `openForm('${visit.form.id}', '${fixture().baseUrl}/embed.js')`;
      expect(await visit.page.evaluate(open)).toBe(true);
      expect(await visit.isOpen()).toBe(true);
      await visit.page.evaluate('closeForm()');
      expect(await visit.isOpen()).toBe(false);
      expect(problems(visit)).toEqual([]);
    });

    it('works under a strict policy, with its nonce', async () => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        fakeClock: false,
        isUnarmed: true,
        body: PAGE,
        tags: () => `<script nonce="abc">${app.replaceAll('</script', String.raw`<\/script`)}</script>`,
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'nonce-abc'; connect-src ${base}`,
        },
      });
      await show(visit, { nonce: 'abc' });
      await shown(visit);
      expect(problems(visit)).toEqual([]);
    });
  });
}
