import { poll } from '@svcforms/test-kit';
import { scriptTag, type Fixture } from '../fixture.ts';

const moduleTag = (base: string, attributes: string) =>
  `<script type="module" src="${base}/embed.js" ${attributes}></script>`;

/**
 * A module can't access its tag and runs once for all tags with its URL:
 * docs/reference/embed.md#module-scripts
 */
export function moduleTagScenarios(fixture: () => Fixture): void {
  const anyForm = async (name = 'Other') => (await fixture().visit({ tags: () => '', name })).form;

  describe('a script tag with type=module', () => {
    it.each(['', 'async', 'defer'])('finds its tag and attributes: %s', async (attributes) => {
      const visit = await fixture().visit({
        tags: (form, base) =>
          moduleTag(base, `data-svc-form-id="${form.id}" data-svc-trigger="delay:1000" ${attributes}`),
      });
      await visit.pass(1000);
      await visit.expectOpen();
      expect(visit.problems).toEqual([]);
    });

    it('shows an inline form once at the tag, even under a nonce policy', async () => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        body: '<h1>x</h1>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        tags: (form) =>
          `${moduleTag(base, `nonce="abc" data-svc-form-id="${form.id}"`)}<p id="after">after</p>`,
      });
      await visit.page.waitForSelector('svc-form form');
      expect(await visit.page.locator('svc-form').count()).toBe(1);
      const next = await visit.page.evaluate('document.querySelector("svc-form").nextElementSibling.id');
      expect(next).toBe('after');
      expect(visit.problems).toEqual([]);
    });

    it('finds every tag of one URL, next to classic tags, and tags that are added later', async () => {
      const names = ['One', 'Two', 'Three', 'Four'] as const;
      const [, two, three, four] = await Promise.all(names.map(async (name) => (await anyForm(name)).id));
      const attributes = (id: string | undefined, name: string) =>
        `data-svc-form-id="${id}" data-svc-trigger="click:.${name}"`;
      const visit = await fixture().visit({
        name: 'One',
        body: names.map((name) => `<h1 class="${name}">${name}</h1>`).join(''),
        tags: (form, base) =>
          moduleTag(base, attributes(form.id, 'One')) +
          moduleTag(base, attributes(two, 'Two')) +
          scriptTag(base, attributes(three, 'Three')),
      });
      await visit.page.evaluate(
        ([src, id]) => {
          const tag = document.createElement('script');
          Object.assign(tag, { type: 'module', src });
          tag.setAttribute('data-svc-form-id', String(id));
          tag.setAttribute('data-svc-trigger', 'click:.Four');
          document.head.append(tag);
        },
        [`${fixture().baseUrl}/embed.js`, four] as const,
      );
      const isRequested = (id: string | undefined) => visit.requests.includes(`GET /embed/forms/${id}.json`);
      await poll(() => [two, three, four].every(isRequested), { what: 'every form' });
      await visit.page.waitForLoadState('networkidle');
      for (const name of names) {
        await visit.page.click(`h1.${name}`);
        await visit.expectOpen();
        expect(await visit.page.locator('dialog #title').textContent()).toBe(name);
        await visit.page.keyboard.press('Escape');
        await visit.expectClosed();
      }
    });

    it.each([
      ['names its form', true],
      ['names none', false],
    ])('that %s loads from its own origin beside an embed.js of another product', async (_, namesForm) => {
      const context = await fixture().newContext();
      const requests: string[] = [];
      await context.route('https://embed.example/**', (route) => {
        requests.push(route.request().url());
        return route.fulfill({ contentType: 'text/javascript', body: '' });
      });
      const visit = await fixture().visit({
        context,
        body: '<h1>x</h1><script src="https://embed.example/next/embed.js"></script>',
        isUnarmed: !namesForm,
        tags: (form, base) =>
          moduleTag(base, namesForm ? `data-svc-form-id="${form.id}"` : '') +
          `<script type="module">void SvcForms.open('${form.id}')</script>`,
      });
      await visit.page.waitForSelector('svc-form.svc-modal form');
      expect(requests).toEqual(['https://embed.example/next/embed.js']);
    });

    it.each(['text/plain', 'didomi/javascript'])(
      'leaves tags alone that a consent manager blocks with type=%s',
      async (type) => {
        const blocked = await anyForm();
        const visit = await fixture().visit({
          fakeClock: false,
          tags: (form, base) =>
            `<script type="${type}" src="${base}/embed.js" data-svc-form-id="${blocked.id}"></script>` +
            moduleTag(base, `data-svc-form-id="${form.id}"`),
        });
        await visit.page.waitForSelector('svc-form form');
        expect(visit.requests).not.toContain(`GET /embed/forms/${blocked.id}.json`);
      },
    );

    it('offers the open interfaces to later modules, even without a form of its own', async () => {
      const form = await anyForm();
      const visit = await fixture().visit({
        form,
        isUnarmed: true,
        tags: (_, base) => `${moduleTag(base, '')}<script type="module">SvcForms.open('${form.id}')</script>`,
      });
      await visit.expectOpen();
    });
  });
}
