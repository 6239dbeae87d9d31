import { webhookSecretContext } from '@svcforms/records';
import { secretBox, webhookRecord } from '../../test/records.ts';
import { openSecrets } from './secret-cache.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

describe('the secret of a webhook', () => {
  it('is decrypted once for each sealed text, and again when it changes', () => {
    let opened = 0;
    const secretsOf = openSecrets({
      open(sealed, context) {
        opened++;
        return secretBox.open(sealed, context);
      },
    });
    const webhook = webhookRecord({ url: 'http://localhost' }, 'first-secret');
    const changed = webhookRecord({ url: 'http://localhost', _id: webhook._id }, 'second-secret');
    expect([webhook, webhook, changed, changed].map((each) => secretsOf(each, NOW))).toEqual([
      ['first-secret'],
      ['first-secret'],
      ['second-secret'],
      ['second-secret'],
    ]);
    expect(opened).toBe(2);
  });

  it('is not returned for a webhook that it was not sealed for, even from the cache', () => {
    const secretsOf = openSecrets(secretBox);
    const webhook = webhookRecord({ url: 'http://localhost' }, 'secret');
    expect(secretsOf(webhook, NOW)).toEqual(['secret']);
    expect(() => secretsOf(webhookRecord({ url: 'http://localhost', secret: webhook.secret }), NOW)).toThrow(
      'was changed, or sealed for another record',
    );
  });

  it('is returned with rotated secrets, newest first, until they expire', () => {
    const webhook = webhookRecord({ url: 'http://localhost' }, 'newest');
    const seal = (secret: string) => secretBox.seal(secret, webhookSecretContext(webhook._id));
    const rotated = {
      ...webhook,
      previousSecrets: [
        { secret: seal('middle'), until: new Date(NOW + 2000).toISOString() },
        { secret: seal('oldest'), until: new Date(NOW + 1000).toISOString() },
      ],
    };
    const secretsOf = openSecrets(secretBox);
    expect(secretsOf(rotated, NOW + 999)).toEqual(['newest', 'middle', 'oldest']);
    expect(secretsOf(rotated, NOW + 1000)).toEqual(['newest', 'middle']);
    expect(secretsOf(rotated, NOW + 2000)).toEqual(['newest']);
  });
});
