import type {
  FormOut,
  FormTemplate,
  InboundRequestsOut,
  KeyCreatedOut,
  MeOut,
  SessionOut,
  StatsOut,
  SubmissionOut,
  UserOut,
} from '@svcforms/contracts';
import { createClient, createForm, openInbound, poll, sendInbound, sessionCookie } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, type Product } from '../stack.ts';

const PASSWORD = 'correct horse battery';

export function managementScenarios(product: () => Product): void {
  describe('users of an account', () => {
    const emailOf = (name: string) => `${name}.${randomUUID().slice(0, 8)}@example.com`;

    /** Returns the headers of a browser session of the user. */
    async function login(email: string, password = PASSWORD): Promise<{ cookie: string }> {
      const body = { email, password };
      const { headers } = await product().visitor.post('/api/auth/login', { body, expect: 200 });
      return { cookie: sessionCookie({ headers }) };
    }

    it('log in, act within their role, and lose access when they log out', async () => {
      const { visitor, admin } = product();
      const { accountId } = await openAccount(product());
      const [owner, reviewer] = [emailOf('owner'), emailOf('reviewer')];
      const user = ['user', 'create', '--name', 'Ada', '--account', accountId];
      const printed = await admin(...user, '--email', owner, '--role', 'owner');
      const [, password] = /^password (\S+)/m.exec(printed) ?? [];
      const headers = await login(owner, password);
      // A generated password opens nothing else until it is changed.
      await visitor.get('/api/forms', { headers, expect: 403 });
      const change = { currentPassword: password, password: PASSWORD };
      await visitor.patch('/api/auth/me', { body: change, headers, expect: 200 });
      const me = (await visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 })).body.data;
      expect(me).toMatchObject({ email: owner, role: 'owner', account: { id: accountId } });

      const created = await visitor.post<UserOut>('/api/users', {
        body: { email: reviewer, name: 'Bob', role: 'reviewer', password: PASSWORD },
        headers,
        expect: 201,
      });
      const bob = await login(reviewer);
      await visitor.get('/api/forms', { headers: bob, expect: 200 });
      await visitor.post('/api/forms', { body: { name: 'x' }, headers: bob, expect: 403 });
      expect((await visitor.get<SessionOut[]>('/api/auth/sessions', { headers: bob })).body.data).toEqual([
        expect.objectContaining({ isCurrent: true }),
      ]);
      await visitor.delete('/api/auth/sessions', { headers: bob, expect: 204 });
      await visitor.get('/api/forms', { headers: bob, expect: 401 });
      const again = await login(reviewer);
      await visitor.get('/api/forms', { headers: again, expect: 200 });
      await visitor.delete(`/api/users/${created.body.data.id}`, { headers, expect: 204 });
      await visitor.get('/api/forms', { headers: again, expect: 401 });

      const elsewhere = { ...headers, origin: 'https://evil.example' };
      await visitor.post('/api/forms', { body: { name: 'x' }, headers: elsewhere, expect: 403 });
      await visitor.post('/api/auth/logout', { headers, expect: 204 });
      await visitor.get('/api/auth/me', { headers, expect: 401 });
    });

    it('keep one owner, however many leave at once', async () => {
      const { client } = await openAccount(product());
      const owners = await Promise.all(
        ['a', 'b', 'c'].map(async (name) => {
          const body = { email: emailOf(name), name, role: 'owner', password: PASSWORD };
          return (await client.post<UserOut>('/api/users', { body, expect: 201 })).body.data;
        }),
      );
      const responses = await Promise.all(
        owners.map(({ id }, n) =>
          n === 0
            ? client.patch(`/api/users/${id}`, { body: { role: 'admin' } })
            : client.delete(`/api/users/${id}`),
        ),
      );
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(1);
      const left = await client.get<UserOut[]>('/api/users', { expect: 200 });
      expect(left.body.data.filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    it('create keys with at most their own rights, which work until they are deleted', async () => {
      const { baseUrl } = product();
      const { client } = await openAccount(product(), { scopes: ['keys:manage', 'forms:read'] });
      const create = (scopes: string[]) =>
        client.post<KeyCreatedOut>('/api/keys', { body: { name: 'CRM', scopes } });
      expect(await create(['*'])).toMatchObject({ status: 403, body: { requiredScope: '*' } });
      const { id, key } = (await create(['forms:read'])).body.data;
      const keyClient = createClient({ baseUrl, token: key ?? '' });
      await keyClient.get('/api/forms', { expect: 200 });
      await client.delete(`/api/keys/${id}`, { expect: 204 });
      await keyClient.get('/api/forms', { expect: 401 });
    });

    it('cannot be guessed: after five wrong passwords the right one has to wait', async () => {
      const { visitor } = product();
      const { client } = await openAccount(product());
      const email = emailOf('guessed');
      await client.post('/api/users', {
        body: { email, name: 'Ada', role: 'admin', password: PASSWORD },
        expect: 201,
      });
      const guess = (password: string) => visitor.post('/api/auth/login', { body: { email, password } });
      const statuses: number[] = [];
      for (let n = 0; n < 7; n++) statuses.push((await guess(`wrong ${n}`)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const right = await guess(PASSWORD);
      expect(right.status).toBe(429);
      expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  describe('a form', () => {
    it('is unchanged by export and import, and by duplication except for its name', async () => {
      const { client } = product();
      const form = await createForm(client, {
        description: 'x',
        settings: {
          popup: { enabled: true, trigger: 'exit', delayMs: 7, scrollPercent: 12.5, selector: '.cta' },
          theme: { accent: '#123456' },
        },
      });
      const { data: template } = (
        await client.get<FormTemplate>(`/api/forms/${form.id}/export`, { expect: 200 })
      ).body;
      const imported = await client.post<FormOut>('/api/forms/import', { body: template, expect: 201 });
      const { name, description, fields, settings } = form;
      expect(imported.body.data).toMatchObject({ name, description, fields, settings });
      const copy = await client.post<FormOut>(`/api/forms/${form.id}/duplicate`, { expect: 201 });
      expect(copy.body.data).toMatchObject({ name: `${name} (copy)`, description, fields, settings });
      expect(copy.headers.get('location')).toBe(`/api/forms/${copy.body.data.id}`);
    });

    it('can start from a template', async () => {
      const { client } = product();
      const { body } = await client.get<FormTemplate[]>('/api/templates', { expect: 200 });
      expect(body.data.length).toBeGreaterThanOrEqual(6);
      for (const template of body.data)
        await client.post('/api/forms/import', { body: template, expect: 201 });
    });
  });

  describe('submissions of a form', () => {
    it('are found by text, source and time, deleted, and exported as CSV and JSON', async () => {
      const { client, visitor } = product();
      const form = await createForm(client);
      const inbound = await openInbound(client, form.id);
      for (const message of ['=1+1', 'Hello', 'Ünïcode']) {
        await visitor.post(`/api/forms/${form.id}/submissions`, {
          body: { data: { email: 'ada@example.com', message } },
          expect: 201,
        });
      }
      await sendInbound(client, inbound, { email: 'bob@example.com', extra: 1 });
      const path = `/api/forms/${form.id}/submissions`;
      const list = async (query = '') =>
        (await client.get<SubmissionOut[]>(`${path}${query}`, { expect: 200 })).body.data;
      const all = await list();
      expect(all).toHaveLength(4);
      expect((await list('?q=%C3%BCn%C3%8F')).map(({ data }) => data['message'])).toEqual(['Ünïcode']);
      expect((await list('?via=inbound')).map(({ data }) => data['email'])).toEqual(['bob@example.com']);
      expect(await list(`?until=${all.at(-1)?.createdAt}`)).toEqual([]);

      const csv = await client.get(`${path}/export?format=csv`, { expect: 200 });
      const rows = csv.text.split('\r\n');
      expect(rows[0]).toMatch(/^id,createdAt,.*,email,message,other$/);
      expect(rows).toHaveLength(6);
      expect(csv.text).toContain(",ada@example.com,'=1+1,\r\n");
      const ndjson = await client.get(`${path}/export?format=ndjson`, { expect: 200 });
      expect(ndjson.text.trimEnd().split('\n')).toEqual(all.map((submission) => JSON.stringify(submission)));

      await client.delete(`/api/submissions/${all[0]?.id}`, { expect: 204 });
      expect(await list()).toEqual(all.slice(1));
    });
  });

  describe('counters of a popup', () => {
    it('are exact with many visitors in parallel', async () => {
      const { client, visitor } = product();
      const { id } = await createForm(client);
      const types = ['shown', 'shown', 'converted', 'declined'];
      const responses = await Promise.all(
        Array.from({ length: 400 }, (_, n) =>
          visitor.post(`/api/forms/${id}/events`, {
            rawBody: JSON.stringify({ type: types[n % 4] }),
            headers: { 'content-type': 'text/plain' },
          }),
        ),
      );
      expect(responses.filter(({ status }) => status !== 204)).toEqual([]);
      const { body } = await client.get<StatsOut>(`/api/forms/${id}/stats`, { expect: 200 });
      // The date may have changed in between.
      const sum = (type: 'shown' | 'converted' | 'declined') =>
        body.data.reduce((total, day) => total + day[type], 0);
      expect([sum('shown'), sum('converted'), sum('declined')]).toEqual([200, 100, 100]);
    });
  });

  describe('the request log of an inbound endpoint', () => {
    it('shows accepted and rejected requests', async () => {
      const { client, visitor } = product();
      const inbound = await openInbound(client, (await createForm(client)).id);
      const values = { email: 'ada@example.com' };
      await sendInbound(client, inbound, values);
      await visitor.post(`/api/inbound/${inbound.formId}`, { body: values, expect: 401 });
      const requests = await poll(
        async () => {
          const path = `/api/forms/${inbound.formId}/inbound/requests`;
          const { data } = (await client.get<InboundRequestsOut>(path, { expect: 200 })).body;
          return data.length === 2 && data;
        },
        { what: 'two requests' },
      );
      const size = JSON.stringify(values).length;
      const logged = requests.map(({ status, code, size: bytes }) => [status, code, bytes]);
      // Two gateways may store requests of the same millisecond in either order.
      expect(logged).toContainEqual([202, null, size]);
      expect(logged).toContainEqual([401, 'UNAUTHORIZED', size]);
      expect(JSON.stringify(requests)).not.toContain('svc_inb_');
    });
  });
}
