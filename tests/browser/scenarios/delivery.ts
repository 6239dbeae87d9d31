import type { StatsOut, SubmissionOut } from '@svcforms/contracts';
import { addWebhook, atEnd, createGate, poll } from '@svcforms/test-kit';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventOf, verify } from '../../e2e/event.ts';
import type { Product } from '../../e2e/stack.ts';
import { openSoon, SOON, submitEmail } from '../popup-visit.ts';
import { scriptTag, type Fixture } from '../fixture.ts';

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

    it('submits the form of a visitor who leaves the page at once', async () => {
      const { client, baseUrl } = product();
      const slow = await startSlowProxy(baseUrl);
      const { page, site, form } = await fixture().visit({
        isUnarmed: true,
        fakeClock: false,
        tags: ({ id }) => scriptTag(slow.url, `data-svc-form-id="${id}"`),
      });
      await page.fill('svc-form input[type=email]', 'ada@example.com');
      await page.click('.primary');
      await slow.asked;
      await page.goto(`${site.url}/elsewhere`);
      slow.permit();
      const stored = await poll(
        async () => {
          const { body } = await client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`, {
            expect: 200,
          });
          return body.data[0];
        },
        { what: 'the submission' },
      );
      expect(stored.data).toEqual({ email: 'ada@example.com' });
    });
  });
}

/**
 * The product under another origin, which holds back its permission to submit (a preflight) like a
 * slow network.
 */
async function startSlowProxy(
  baseUrl: string,
): Promise<{ url: string; asked: Promise<void>; permit: () => void }> {
  const asked = createGate();
  const permitted = createGate();
  const server = createServer((request, response) => {
    const pass = () => {
      const { method, headers, url = '' } = request;
      const passed = send(`${baseUrl}${url}`, { method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 500, received.headers);
        received.pipe(response);
      });
      request.pipe(passed);
    };
    if (request.method === 'OPTIONS') {
      asked.open();
      void permitted.passed.then(pass);
    } else pass();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked.passed,
    permit: permitted.open,
  };
}
