import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
  signInbound,
  standardWebhooksHeaders,
  svcSignature,
  verifyInboundSignature,
  verifySvcSignature,
  verifyTimestampedInbound,
} from './index.ts';
import file from './vectors.json';

type Body = { text: string } | { repeat: string; times: number };
interface Vectors {
  svcSignature: { name: string; secrets: string[]; timestamp: number; body: Body; header: string }[];
  standardWebhooks: {
    name: string;
    secrets: string[];
    id: string;
    timestamp: number;
    body: Body;
    signature: string;
  }[];
  inbound: { name: string; secret: string; body: Body; signature: string }[];
  timestampedInbound: { name: string; secret: string; timestamp: number; body: Body; signature: string }[];
}

const vectors: Vectors = file;

function textOf(body: Body): string {
  return 'text' in body ? body.text : body.repeat.repeat(body.times);
}

describe('svcSignature', () => {
  it.each(vectors.svcSignature)('returns the header of the vector: $name', (vector) => {
    const text = textOf(vector.body);
    const { secrets, timestamp } = vector;

    expect(svcSignature({ secrets, timestamp, body: text })).toBe(vector.header);
    expect(svcSignature({ secrets, timestamp, body: Buffer.from(text) })).toBe(vector.header);
  });

  it.each(vectors.svcSignature)('is accepted by verifySvcSignature: $name', (vector) => {
    const { header, timestamp, secrets } = vector;
    const body = textOf(vector.body);

    for (const secret of secrets) {
      expect(verifySvcSignature({ header, body, secrets: [secret], now: timestamp })).toEqual({
        ok: true,
        timestamp,
      });
    }
  });

  const stripe = Stripe.webhooks.signature as NonNullable<typeof Stripe.webhooks.signature>;
  // Its verifier mistakes an empty body for one that was forgotten.
  const forStripe = vectors.svcSignature.filter((vector) => textOf(vector.body) !== '');

  it.each(forStripe)("is accepted by Stripe's verifier: $name", (vector) => {
    const body = Buffer.from(textOf(vector.body));
    const receivedAt = vector.timestamp * 1000;

    for (const secret of vector.secrets) {
      expect(stripe.verifyHeader(body, vector.header, secret, 300, undefined, receivedAt)).toBe(true);
    }
  });

  it.each(forStripe)("is rejected by Stripe's verifier for another body: $name", (vector) => {
    const body = Buffer.from(`${textOf(vector.body)} `);

    expect(() => stripe.verifyHeader(body, vector.header, vector.secrets[0] ?? '', 0)).toThrow(
      'No signatures found matching',
    );
  });

  it("is accepted by Stripe's constructEvent, which uses the real clock", () => {
    const secrets = ['whsec_new', 'old'];
    const body = JSON.stringify({ eventType: 'form.submission.new', data: { name: 'Zoë 👩‍🚀' } });
    const header = svcSignature({ secrets, timestamp: Math.floor(Date.now() / 1000), body });
    const stale = svcSignature({ secrets, timestamp: Math.floor(Date.now() / 1000) - 400, body });

    expect(Stripe.webhooks.constructEvent(body, header, 'old')).toEqual(JSON.parse(body));
    expect(() => Stripe.webhooks.constructEvent(body, header, 'another')).toThrow('No signatures found');
    expect(() => Stripe.webhooks.constructEvent(body, stale, 'old')).toThrow('outside the tolerance');
  });
});

describe('standardWebhooksHeaders', () => {
  it.each(vectors.standardWebhooks)('returns the headers of the vector: $name', (vector) => {
    const { secrets, id, timestamp } = vector;
    const text = textOf(vector.body);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': vector.signature,
    };

    expect(standardWebhooksHeaders({ secrets, id, timestamp, body: text })).toEqual(headers);
    expect(standardWebhooksHeaders({ secrets, id, timestamp, body: Buffer.from(text) })).toEqual(headers);
  });

  /** That package takes a key that isn't base64 as raw bytes. */
  function verifierOf(secret: string): Webhook {
    return /^whsec_[\w+/=]+$/.test(secret)
      ? new Webhook(secret)
      : new Webhook(Buffer.from(secret), { format: 'raw' });
  }

  it.each(vectors.standardWebhooks)(
    "is accepted by that standard's own verifier, and refused once changed: $name",
    (vector) => {
      const body = textOf(vector.body);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = { ...standardWebhooksHeaders({ ...vector, timestamp, body }) };

      for (const secret of vector.secrets) {
        const verifier = verifierOf(secret);
        const verify = (text: string, sent: Record<string, string>) =>
          verifier.verify(text, sent, { jsonParse: false });

        expect(() => verify(body, headers)).not.toThrow();
        expect(() => verify(`${body} `, headers)).toThrow('No matching signature');
        expect(() => verify(body, { ...headers, 'webhook-id': 'evt_other' })).toThrow(
          'No matching signature',
        );
        const later = { ...headers, 'webhook-timestamp': String(timestamp + 1) };
        expect(() => verify(body, later)).toThrow('No matching signature');
      }
    },
  );
});

describe('signInbound', () => {
  it.each(vectors.inbound)('returns the digest of the vector: $name', (vector) => {
    const { secret, signature } = vector;
    const rawBody = Buffer.from(textOf(vector.body));

    expect(signInbound(rawBody, secret)).toBe(signature);
    expect(verifyInboundSignature({ header: `sha256=${signature}`, rawBody, secret })).toBe(true);
  });

  it.each(vectors.inbound)('is rejected for another body: $name', (vector) => {
    const { secret, signature } = vector;
    const rawBody = Buffer.from(`${textOf(vector.body)} `);

    expect(verifyInboundSignature({ header: signature, rawBody, secret })).toBe(false);
  });
});

describe('verifyTimestampedInbound', () => {
  it.each(vectors.timestampedInbound)('accepts the digest of the vector: $name', (vector) => {
    const { secret, signature, timestamp } = vector;
    const text = textOf(vector.body);
    expect(signInbound(`${timestamp}.${text}`, secret)).toBe(signature);

    const sent = { header: signature, secret, timestamp: String(timestamp), now: timestamp };
    expect(verifyTimestampedInbound({ ...sent, rawBody: Buffer.from(text) })).toBe(true);
    expect(verifyTimestampedInbound({ ...sent, rawBody: Buffer.from(`${text} `) })).toBe(false);
    expect(verifyTimestampedInbound({ ...sent, rawBody: text, timestamp: `${timestamp + 1}` })).toBe(false);
  });
});
