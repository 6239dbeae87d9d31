import { newId, type Scope } from '@svcforms/contracts';
import { openFormsApi } from '../test/fixture.ts';

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>>;
}

const FORM = `/api/forms/${newId('frm')}`;
const WEBHOOK = `${FORM}/webhooks/${newId('whk')}`;
const ACCOUNT_WEBHOOK = `/api/webhooks/${newId('whk')}`;

const SCOPES: [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, scope: Scope][] = [
  ['post', '/api/users', 'users:manage'],
  ['get', '/api/users', 'users:manage'],
  ['patch', `/api/users/${newId('usr')}`, 'users:manage'],
  ['delete', `/api/users/${newId('usr')}`, 'users:manage'],
  ['post', '/api/invitations', 'users:manage'],
  ['get', '/api/invitations', 'users:manage'],
  ['post', `/api/invitations/${newId('inv')}/resend`, 'users:manage'],
  ['delete', `/api/invitations/${newId('inv')}`, 'users:manage'],
  ['post', '/api/keys', 'keys:manage'],
  ['get', '/api/keys', 'keys:manage'],
  ['delete', `/api/keys/${newId('key')}`, 'keys:manage'],
  ['get', '/api/audit-log', 'audit:read'],
  ['post', '/api/forms', 'forms:write'],
  ['get', '/api/forms', 'forms:read'],
  ['get', FORM, 'forms:read'],
  ['put', FORM, 'forms:write'],
  ['delete', FORM, 'forms:write'],
  ['post', `${FORM}/duplicate`, 'forms:write'],
  ['get', `${FORM}/export`, 'forms:read'],
  ['post', '/api/forms/import', 'forms:write'],
  ['get', '/api/templates', 'forms:read'],
  ['get', '/api/notification-addresses', 'forms:read'],
  ['post', `/api/notification-addresses/${newId('nad')}/verification`, 'forms:write'],
  ['get', `${FORM}/submissions`, 'submissions:read'],
  ['get', `${FORM}/submissions/export`, 'submissions:read'],
  ['get', `/api/submissions/${newId('sub')}`, 'submissions:read'],
  ['delete', `/api/submissions/${newId('sub')}`, 'submissions:write'],
  ['get', `${FORM}/stats`, 'forms:read'],
  ['get', `${FORM}/inbound/requests`, 'forms:inbound:manage'],
  ['post', `${FORM}/inbound`, 'forms:inbound:manage'],
  ['get', `${FORM}/inbound`, 'forms:inbound:manage'],
  ['patch', `${FORM}/inbound`, 'forms:inbound:manage'],
  ['delete', `${FORM}/inbound`, 'forms:inbound:manage'],
  ['post', `${FORM}/inbound/rotate`, 'forms:inbound:manage'],
  ['post', `${FORM}/webhooks`, 'forms:webhooks:manage'],
  ['get', `${FORM}/webhooks`, 'forms:webhooks:manage'],
  ['get', WEBHOOK, 'forms:webhooks:manage'],
  ['patch', WEBHOOK, 'forms:webhooks:manage'],
  ['delete', WEBHOOK, 'forms:webhooks:manage'],
  ['get', `${WEBHOOK}/deliveries`, 'forms:webhooks:manage'],
  ['get', `${WEBHOOK}/deliveries/${newId('del')}`, 'forms:webhooks:manage'],
  ['post', `${FORM}/webhooks/filter/preview`, 'forms:webhooks:manage'],
  ['post', '/api/webhooks', 'forms:webhooks:manage'],
  ['get', '/api/webhooks', 'forms:webhooks:manage'],
  ['get', ACCOUNT_WEBHOOK, 'forms:webhooks:manage'],
  ['patch', ACCOUNT_WEBHOOK, 'forms:webhooks:manage'],
  ['delete', ACCOUNT_WEBHOOK, 'forms:webhooks:manage'],
  ['post', `${ACCOUNT_WEBHOOK}/rotate-secret`, 'forms:webhooks:manage'],
  ['post', `${ACCOUNT_WEBHOOK}/test`, 'forms:webhooks:manage'],
  ['post', `${ACCOUNT_WEBHOOK}/recover`, 'forms:webhooks:manage'],
  ['get', `${ACCOUNT_WEBHOOK}/deliveries`, 'forms:webhooks:manage'],
  ['get', `${ACCOUNT_WEBHOOK}/deliveries/${newId('del')}`, 'forms:webhooks:manage'],
  ['post', `${ACCOUNT_WEBHOOK}/deliveries/${newId('del')}/redeliver`, 'forms:webhooks:manage'],
];

describe('the management API', () => {
  let api: Awaited<ReturnType<typeof openFormsApi>>;
  beforeAll(async () => void (api = await openFormsApi()));

  it.each(SCOPES)('%s %s needs the scope %s', async (method, path, scope) => {
    const without = await api.clientWith(
      SCOPES.map(([, , other]) => other).filter((other) => other !== scope),
    );
    expect((await api.visitor[method](path)).status).toBe(401);
    expect(await without[method](path)).toMatchObject({ status: 403, body: { requiredScope: scope } });
    const holder = await api.clientWith([scope]);
    expect([401, 403]).not.toContain((await holder[method](path)).status);
  });

  it('documents the missing scope where only API keys need one', async () => {
    const key = await api.clientWith(['forms:read']);
    const document = await fetch(`${api.host.url}/openapi.json`);
    const { paths } = (await document.json()) as OpenApi;
    for (const [method, path] of [
      ['get', '/api/agents'],
      ['delete', '/api/agents/{agentId}'],
    ] as const) {
      const { status, body } = await key[method](path.replace('{agentId}', newId('agt')));
      expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect(paths[path]?.[method]?.responses['403']?.$ref).toContain('INSUFFICIENT_SCOPE');
    }
  });
});
