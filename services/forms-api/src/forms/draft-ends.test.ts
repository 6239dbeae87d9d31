import { interceptCalls } from '@svcforms/document-store/testing';
import { FORMS } from '@svcforms/records';
import { FORM, openFormsApi } from '../../test/fixture.ts';

describe('discarding a draft with If-Match', () => {
  it('discards nothing if the form is saved at the same time, because its ETag is another', async () => {
    const api = await openFormsApi();
    const path = `/api/forms/${(await api.createForm()).id}`;
    const draft = await api.client.put(`${path}?draft=true`, { body: FORM, expect: 200 });
    let isSaved = false;
    const store = interceptCalls(api.store, (call, { collection, method }) =>
      collection === FORMS.name && method === 'updateOne'
        ? async (...args) => {
            if (!isSaved) await api.client.put(path, { body: FORM, expect: 200 });
            isSaved = true;
            return call(...args);
          }
        : call,
    );
    const { client } = await api.start({ store });

    const discarded = await client(api.key).delete(`${path}/draft`, {
      headers: { 'if-match': draft.headers.get('etag') ?? '' },
    });
    expect([discarded.status, discarded.body.code]).toEqual([409, 'CONFLICT']);
    const { headers } = await api.client.get(`${path}?draft=true`, { expect: 200 });
    expect(headers.get('etag')).toBe('"2.1"');
  });
});
