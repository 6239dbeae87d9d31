import type { FormOut, GroupOut } from '@svcforms/contracts';
import { FORM, openFormsApi } from '../../test/fixture.ts';

describe('restoring a version', () => {
  it('keeps how long submissions are stored and who sees them', async () => {
    const { client, createForm } = await openFormsApi();
    const group = await client.post<GroupOut>('/api/groups', {
      body: { name: 'Managers', members: [] },
      expect: 201,
    });
    const rules = { retentionDays: 365, reviewers: { groups: [group.body.data.id] } };
    const { id } = await createForm({ name: 'Old', settings: { retentionDays: 7 } });
    const path = `/api/forms/${id}`;
    await client.put(path, { body: { ...FORM, name: 'New', settings: rules }, expect: 200 });

    await client.post(`${path}/versions/1/restore`, { expect: 200 });
    const { body } = await client.post<FormOut>(`${path}/publish`, { expect: 200 });

    expect(body.data).toMatchObject({ name: 'Old', settings: rules });
  });

  it('brings back neither a retention period nor a restriction that was removed', async () => {
    const { client, createForm } = await openFormsApi();
    const { id } = await createForm({ name: 'Old', settings: { retentionDays: 7 } });
    const path = `/api/forms/${id}`;
    await client.put(path, { body: { ...FORM, name: 'New' }, expect: 200 });

    await client.post(`${path}/versions/1/restore`, { expect: 200 });
    const { body } = await client.post<FormOut>(`${path}/publish`, { expect: 200 });

    expect(body.data.name).toBe('Old');
    expect(body.data.settings).not.toHaveProperty('retentionDays');
  });
});
