import { createForm } from '@svcforms/test-kit';
import type { Product } from '../stack.ts';

const NOWHERE = 'frm_01ARZ3NDEKTSV4RRFFQ69G5FAV';

export function problemScenarios(product: () => Product): void {
  describe('an error response', () => {
    it('is a problem+json that names its type, the remedy and the request', async () => {
      const { headers, body, status } = await product().client.get(`/api/forms/${NOWHERE}`);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
      expect({ ...body, status }).toEqual({
        type: expect.stringMatching(/^https?:\/\/[^/]+\/docs\/errors#NOT_FOUND$/),
        title: expect.any(String),
        status: 404,
        code: 'NOT_FOUND',
        success: false,
        message: expect.any(String),
        requestId: headers.get('x-request-id'),
      });
    });

    it('points to every rejected value', async () => {
      const body = { name: '', fields: [{ name: '1st', type: 'text' }], extra: true };
      const response = await product().client.post('/api/forms', { body, expect: 422 });
      expect(response.body.code).toBe('VALIDATION_FAILED');
      expect(response.body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
        '/extra',
        '/fields/0/name',
        '/name',
      ]);
    });

    it.each([
      ['an unknown path', 'get', '/api/nothing', {}, 404, 'NOT_FOUND'],
      ['an unknown id', 'get', `/api/forms/${NOWHERE}`, {}, 404, 'NOT_FOUND'],
      ['an invalid id', 'get', '/api/forms/1', {}, 404, 'NOT_FOUND'],
      ['an id of another kind', 'get', `/api/submissions/${NOWHERE}`, {}, 404, 'NOT_FOUND'],
      ['an unsupported method', 'patch', '/api/forms', { body: {} }, 405, 'METHOD_NOT_ALLOWED'],
      [
        'an unsupported method of the inbound path',
        'get',
        `/api/inbound/${NOWHERE}`,
        {},
        405,
        'METHOD_NOT_ALLOWED',
      ],
      [
        'a body of plain text',
        'post',
        '/api/forms',
        text('text/plain', 'hello'),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [
        'a body of unsaid type',
        'post',
        '/api/forms',
        text(undefined, '{"name":"a"}'),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['a packed body', 'post', '/api/forms', packed('{"name":"a"}'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['half a body', 'post', '/api/forms', { rawBody: '{"name":' }, 400, 'INVALID_BODY'],
      ['no body', 'post', '/api/forms', {}, 400, 'INVALID_BODY'],
      ['a list as the body', 'post', '/api/forms', { body: [] }, 400, 'INVALID_BODY'],
      [
        'a body of more than 1 MiB',
        'post',
        '/api/forms',
        { rawBody: Buffer.alloc(1024 * 1024 + 1, ' ') },
        413,
        'PAYLOAD_TOO_LARGE',
      ],
    ] as const)('is returned for %s', async (_, method, path, options, status, code) => {
      const response = await product().client[method](path, options);
      expect([response.status, response.body.status, response.body.code]).toEqual([status, status, code]);
    });

    it('lists the allowed methods', async () => {
      const { id } = await createForm(product().client);
      const response = await product().client.post(`/api/forms/${id}`, { body: {}, expect: 405 });
      expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
    });
  });

  describe('a request id', () => {
    it.each(['order-4711', 'a.b_c~d:e/f+g=h@i', 'x'.repeat(128)])(
      'of the client is returned: %s',
      async (id) => {
        const { client, visitor } = product();
        const headers = { 'x-request-id': id };
        expect((await client.get('/api/forms', { headers, expect: 200 })).headers.get('x-request-id')).toBe(
          id,
        );
        const refused = await visitor.post(`/api/inbound/${NOWHERE}`, { body: {}, headers, expect: 404 });
        expect([refused.headers.get('x-request-id'), refused.body.requestId]).toEqual([id, id]);
      },
    );

    it.each(['', 'two words', '"quoted"', 'x'.repeat(129), '<script>'])(
      'is generated instead of "%s"',
      async (id) => {
        const response = await product().client.get('/api/forms', {
          headers: { 'x-request-id': id },
          expect: 200,
        });
        const generated = response.headers.get('x-request-id');
        expect(generated).toMatch(/^[\w-]{16,}$/);
        expect(generated).not.toBe(id);
      },
    );
  });
}

function text(type: string | undefined, rawBody: string) {
  return { rawBody, headers: { 'content-type': type } };
}

function packed(rawBody: string) {
  return { rawBody, headers: { 'content-encoding': 'gzip' } };
}
