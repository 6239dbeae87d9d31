import type { StatsOut } from '@svcforms/contracts';
import { addWebhook, poll } from '@svcforms/test-kit';
import { eventOf, verify } from '../../e2e/event.ts';
import type { Product } from '../../e2e/stack.ts';
import { openSoon, SOON, submitEmail } from '../popup-visit.ts';
import type { Fixture } from '../fixture.ts';

/** End to end, from the page of a visitor to the systems of the form owner. */
export function deliveryScenarios(fixture: () => Fixture, product: () => Product): void {
  describe('events of a visitor', () => {
    it('submits a popup form: the submission arrives signed at the endpoint and is counted', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const visit = await fixture().visit({ popup: SOON });
      const { secret } = await addWebhook(client, visit.form.id, { url: webhookEndpoint.url });
      await openSoon(visit);
      await submitEmail(visit);

      const [request] = await webhookEndpoint.waitFor(1, 'the event');
      if (!request) throw new Error('no request received');
      expect(eventOf(request)).toMatchObject({
        eventType: 'form.submission.new',
        formId: visit.form.id,
        data: { email: 'ada@example.com' },
        metadata: { submittedVia: 'web' },
      });
      expect(verify(request, secret).svcSignature).toBe('ok');
      const counts = await poll(
        async () => {
          const { body } = await client.get<StatsOut>(`/api/forms/${visit.form.id}/stats`, { expect: 200 });
          return body.data.find(({ converted }) => converted > 0);
        },
        { what: 'the counters' },
      );
      expect(counts).toMatchObject({ shown: 1, converted: 1, declined: 0, submissions: 1 });
    });

    it('counts a click on the decline button as a decline', async () => {
      const { client } = product();
      const visit = await fixture().visit({
        popup: { ...SOON, decline: { enabled: true } },
      });
      await openSoon(visit);
      await visit.page.click('text=No thanks');
      const counts = await poll(
        async () => {
          const { body } = await client.get<StatsOut>(`/api/forms/${visit.form.id}/stats`, { expect: 200 });
          return body.data.find(({ declined }) => declined > 0);
        },
        { what: 'the counters' },
      );
      expect(counts).toMatchObject({ shown: 1, converted: 0, declined: 1, submissions: 0 });
    });
  });
}
