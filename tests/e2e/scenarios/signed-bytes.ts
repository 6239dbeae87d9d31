import {
  createFormWithWebhook,
  sendInbound,
  type EventReader,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';
import { expectSameBytes, openWebhookStream } from '../webhook-stream.ts';

type Created = Awaited<ReturnType<typeof createFormWithWebhook>>;

export function signedByteScenarios(product: () => Product): void {
  describe('sent bytes', () => {
    let webhookEndpoint: WebhookEndpoint;
    let created: Created;
    let stream: EventReader;

    beforeAll(async () => {
      webhookEndpoint = await product().startEndpoint();
      const events = ['form.submission.new', 'submission.created'] as const;
      created = await createFormWithWebhook(product().client, webhookEndpoint.url, {
        form: { fields: [] },
        events,
      });
      stream = await openWebhookStream(product());
    });

    afterAll(() => stream.close());

    it.each([
      ['emoji', { text: '👩‍👩‍👧‍👦 🇨🇿 🫠' }],
      ['halves of emoji', { text: '\ud83d alone \udc69' }],
      ['the line separators of JavaScript', { text: 'a\u2028b\u2029c' }],
      ['the end of a script', { text: '</script><!-- &amp; \\" \\/ -->' }],
      ['control characters', { text: '\u0000\u0001\b\t\n\u001f\u007f' }],
      ['a number of 21 digits', { number: 1e20, more: 123456789012345680000, less: 1e-7, negative: -0 }],
      ['keys of every kind', { '': 1, '10': 2, '2': 3, ключ: 4, 'a b.c$d': 5, constructor: 6 }],
      ['200 KB', { text: 'ž🎉x'.repeat(200_000 / 7) }],
      ['a deep value', { deep: JSON.parse(`${'['.repeat(90)}1${']'.repeat(90)}`) as unknown }],
    ])(
      'verify when the values hold %s, contain what was sent, and are the same in the event stream',
      async (_, values) => {
        const { body } = await sendInbound(product().client, created.inbound, values);
        const { submissionId } = body.data;
        const own = () =>
          webhookEndpoint.requests.filter((request) => eventOf(request).submissionId === submissionId);
        await webhookEndpoint.waitFor(() => own().length === 2, 'both events');
        for (const request of own()) {
          expect(verify(request, created.webhook.secret)).toEqual({
            svcSignature: 'ok',
            standardWebhooks: 'ok',
          });
          expect(eventOf(request).data).toEqual(JSON.parse(JSON.stringify(values)));
          await expectSameBytes(stream, request);
        }
      },
    );
  });
}
