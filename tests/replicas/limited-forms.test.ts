import { atEnd, createForm, describeWith, newApiKey, openInbound, startNats } from '@svcforms/test-kit';
import type { SubmissionOut } from '@svcforms/contracts';
import { serviceSettings } from '../start/service-settings.ts';
import { startReplica, type Replica } from './start-replica.ts';

const MAX = 60;
const POSTS = 300;

describeWith(['nats', 'mongo'], 'a form with a maximum number of submissions', () => {
  let replicas: readonly Replica[];

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const settings = await serviceSettings(nats.url, apiKey);
    replicas = [await startReplica(settings, apiKey), await startReplica(settings, apiKey)];
  }, 120_000);

  it('accepts exactly that many of 300 parallel posts to two processes', async () => {
    const [one] = replicas;
    if (!one) throw new Error('no replica started');
    const form = await createForm(one.client, { settings: { closing: { maxSubmissions: MAX } } });
    const { token } = await openInbound(one.client, form.id);
    const headers = { authorization: `Bearer ${token}` };
    const body = { email: 'ada@example.com' };
    const posts = Array.from({ length: POSTS }, (_, n) => {
      const { visitor } = replicas[n % 2] as Replica;
      return n % 4 < 2
        ? visitor.post(`/api/inbound/${form.id}`, { body, headers })
        : visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: body } });
    });
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(MAX);
    expect(statuses.filter((status) => status === 403)).toHaveLength(POSTS - MAX);
    const { body: stored } = await one.client.get<SubmissionOut[]>(
      `/api/forms/${form.id}/submissions?limit=100`,
    );
    expect(stored.data).toHaveLength(MAX);
  });
});
