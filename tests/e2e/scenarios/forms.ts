import type { FormOut } from '@svcforms/contracts';
import { contactForm, createForm, poll, type Client } from '@svcforms/test-kit';
import { openAccount, type Product } from '../stack.ts';

export function formScenarios(product: () => Product): void {
  describe('a form', () => {
    it('is returned as saved, with the generated fields', async () => {
      const { client } = product();
      const sent = {
        name: 'Žádost o nabídku',
        description: 'On the pricing page',
        fields: [
          {
            name: 'size',
            type: 'select',
            label: 'How many?',
            options: [{ value: '1' }, { value: '2', label: 'Two' }],
          },
          { name: 'why', type: 'text', showIf: { field: 'size', equals: '2' }, maxLength: 200, step: 2 },
        ],
        settings: {
          theme: { accent: '#1a73e8', radius: 8 },
          thankYou: { title: 'Thanks', redirectUrl: 'https://example.com/ok' },
          metadata: { includeIp: true },
        },
      };
      const created = await createForm(client, sent);
      expect(created).toEqual({
        ...sent,
        id: expect.stringMatching(/^frm_[0-9A-HJKMNP-TV-Z]{26}$/),
        accountId: expect.stringMatching(/^acc_/),
        createdAt: created.updatedAt,
        updatedAt: expect.stringMatching(/Z$/),
        version: 1,
      });
      const read = await client.get<FormOut>(`/api/forms/${created.id}`, { expect: 200 });
      expect(read.body.data).toEqual(created);
    });

    it('can be read and saved without changes', async () => {
      const { client } = product();
      const created = await createForm(client, { settings: { popup: { enabled: true, trigger: 'exit' } } });
      const put = await client.put<FormOut>(`/api/forms/${created.id}`, { body: created, expect: 200 });
      expect(put.body.data).toEqual({ ...created, version: 2, updatedAt: put.body.data.updatedAt });
    });

    it('says where its script was seen last, without a new version', async () => {
      const { client, visitor } = product();
      const created = await createForm(client);
      expect(created).not.toHaveProperty('scriptLastSeen');
      const before = Date.now();
      const read = async () =>
        (await client.get<FormOut>(`/api/forms/${created.id}`, { expect: 200 })).body.data;
      // As a browser loads the form on a page of another site.
      const load = () =>
        visitor.get(`/embed/forms/${created.id}.json`, {
          headers: { Origin: 'https://shop.example:8443' },
          expect: 200,
        });
      // A report is lost while the bus connects.
      await poll(async () => (await load()) && (await read()).scriptLastSeen !== undefined, {
        what: 'where the script was seen',
      });
      const { scriptLastSeen, ...rest } = await read();
      expect(rest).toEqual(created);
      expect(scriptLastSeen).toEqual({
        host: 'shop.example:8443',
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
      expect(Date.parse(scriptLastSeen?.at ?? '')).toBeGreaterThanOrEqual(before - 60_000);
      // What was read can be saved, and a save keeps it.
      const saved = await client.put<FormOut>(`/api/forms/${created.id}`, {
        body: await read(),
        expect: 200,
      });
      expect(saved.body.data.scriptLastSeen).toEqual(scriptLastSeen);
    });

    it('is not replaced by a caller with an outdated version', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const put = (name: string, version: number) =>
        client.put<FormOut>(`/api/forms/${id}`, { body: { name }, headers: { 'If-Match': `"${version}"` } });
      expect((await put('Second', 1)).status).toBe(200);
      const late = await put('Third', 1);
      expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
      expect((await client.get<FormOut>(`/api/forms/${id}`)).body.data.name).toBe('Second');
    });

    it.each([
      ['no name', { name: undefined }, '/name'],
      ['two fields with the same name', { fields: [field('a'), field('a')] }, '/fields/1/name'],
      ['the field name __proto__', { fields: [field('__proto__')] }, '/fields/0/name'],
      ['an unknown type', { fields: [{ name: 'a', type: 'wish' }] }, '/fields/0/type'],
      ['an unknown setting', { settings: { popups: {} } }, '/settings/popups'],
    ])('is not saved with %s', async (_, flaw, pointer) => {
      const { client } = product();
      const response = await client.post('/api/forms', { body: contactForm(flaw), expect: 422 });
      expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
    });

    it('appears once across pages, newest first', async () => {
      const { client } = await openAccount(product(), { scopes: ['forms:read', 'forms:write'] });
      const created: string[] = [];
      for (const name of ['1', '2', '3', '4', '5']) created.unshift((await createForm(client, { name })).id);

      const pages: string[][] = [];
      let path = '/api/forms?limit=2';
      for (let page = 1; page <= 3; page++) {
        const { body, headers } = await client.get<FormOut[]>(path, { expect: 200 });
        pages.push(body.data.map(({ id }) => id));
        expect(body.pagination.limit).toBe(2);
        const { nextCursor } = body.pagination;
        const link = headers.get('link');
        if (page === 3) {
          expect([nextCursor, link]).toEqual([null, null]);
        } else {
          path = `/api/forms?limit=2&cursor=${nextCursor}`;
          expect(link).toBe(`<${path}>; rel="next"`);
        }
      }
      expect(pages).toEqual([created.slice(0, 2), created.slice(2, 4), created.slice(4)]);
      expect((await client.get<FormOut[]>('/api/forms?q=3')).body.data.map(({ name }) => name)).toEqual([
        '3',
      ]);
    });

    it.each(['limit=0', 'limit=101', 'limit=many', 'cursor=nonsense', 'page=2'])(
      'list rejects ?%s',
      async (query) => {
        const { client } = product();
        const { body } = await client.get(`/api/forms?${query}`, { expect: 422 });
        expect(body.errors?.[0]?.pointer).toBe(`/${query.split('=')[0]}`);
      },
    );
  });

  describe('popup settings of a form', () => {
    const popupOf = async (client: Client, id: string) =>
      (await client.get<FormOut>(`/api/forms/${id}`)).body.data.settings.popup;

    it.each([
      [{ enabled: false }],
      [{ enabled: true, trigger: 'exit', exitSensitivityPx: 0, mouseLeaveDelayMs: 0 }],
      [{ enabled: true, trigger: 'delay', delayMs: 3_600_000 }],
      [{ enabled: true, trigger: 'inactivity', delayMs: 0, devices: 'mobile' }],
      [{ enabled: true, trigger: 'scroll', scrollPercent: 62.5, frequencyDays: 0, maxShows: 3 }],
      [{ enabled: true, trigger: 'click', selector: 'a[href^="/pricing"] > .cta' }],
      [{ enabled: true, trigger: 'visible', selector: '#foot', decline: { enabled: true, suppressDays: 0 } }],
      [{ enabled: true, trigger: 'intent', intentLevel: 'hot' }],
      [{ enabled: true, trigger: 'intent', trackingConsent: { consentMode: true, category: 'statistics' } }],
      [
        {
          enabled: true,
          trigger: 'all',
          and: [{ trigger: 'intent', intentLevel: 'warm' }, { trigger: 'exit' }],
          pages: { include: ['/blog/*'], exclude: ['/blog/private'] },
        },
      ],
      [
        {
          enabled: true,
          trigger: 'exit',
          delayMs: 8000,
          scrollPercent: 40,
          selector: '.unused',
          intentLevel: 'warm',
        },
      ],
    ])('are returned as saved: %j', async (popup) => {
      const { client } = product();
      const { id } = await createForm(client, { settings: { popup } });
      expect(await popupOf(client, id)).toEqual(popup);
    });

    it('keep the parameters of triggers that a later save omits', async () => {
      const { client } = product();
      const popup = { enabled: true, trigger: 'scroll', scrollPercent: 40, delayMs: 8000, maxShows: 3 };
      const { id, name } = await createForm(client, { settings: { popup } });
      const save = (next: object) =>
        client.put(`/api/forms/${id}`, { body: { name, settings: { popup: next } }, expect: 200 });

      await save({ enabled: true, trigger: 'exit' });
      expect(await popupOf(client, id)).toEqual({
        enabled: true,
        trigger: 'exit',
        scrollPercent: 40,
        delayMs: 8000,
      });
      await save({ enabled: true, trigger: 'scroll', delayMs: null });
      expect(await popupOf(client, id)).toEqual({ enabled: true, trigger: 'scroll', scrollPercent: 40 });
    });

    it('keep the first 20 paths of a list and the first 200 characters of a path, with a leading slash', async () => {
      const { client } = product();
      const include = Array.from({ length: 25 }, (_, n) => ` page-${n}`);
      const { id } = await createForm(client, {
        settings: { popup: { pages: { include, exclude: [`/${'x'.repeat(300)}`] } } },
      });
      expect((await popupOf(client, id))?.pages).toEqual({
        include: include.slice(0, 20).map((path) => `/${path.trim()}`),
        exclude: [`/${'x'.repeat(199)}`],
      });
    });

    it.each([
      [{ enabled: true }, '/trigger'],
      [{ enabled: true, trigger: 'click' }, '/selector'],
      [{ enabled: true, trigger: 'visible', selector: ' ' }, '/selector'],
      [{ enabled: true, trigger: 'all' }, '/and'],
      [{ enabled: true, trigger: 'all', and: [{ trigger: 'exit' }] }, '/and'],
      [{ trigger: 'all', and: [{ trigger: 'exit' }, { trigger: 'all' }] }, '/and/1/trigger'],
      [{ trigger: 'hover' }, '/trigger'],
      [{ delayMs: 3_600_001 }, '/delayMs'],
      [{ scrollPercent: 101 }, '/scrollPercent'],
      [{ maxShows: 0 }, '/maxShows'],
      [{ colour: 'red' }, '/colour'],
    ])('are not saved as %j', async (popup, pointer) => {
      const { client } = product();
      const body = contactForm({ settings: { popup } });
      const response = await client.post('/api/forms', { body, expect: 422 });
      expect(response.body.errors?.map((error) => error.pointer)).toEqual([`/settings/popup${pointer}`]);
    });
  });
}

const field = (name: string) => ({ name, type: 'text' });
