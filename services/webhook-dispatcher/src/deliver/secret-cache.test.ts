import { secretBox, webhookRecord } from '../testing/records.ts';
import { openSecrets } from './secret-cache.ts';

describe('the secret of a webhook', () => {
  it('is opened once for each sealed text, and anew when it was changed.', () => {
    let opened = 0;
    const secretOf = openSecrets({
      open(sealed, context) {
        opened++;
        return secretBox.open(sealed, context);
      },
    });
    const webhook = webhookRecord({ url: 'http://localhost' }, 'first-secret');
    const changed = webhookRecord({ url: 'http://localhost', _id: webhook._id }, 'second-secret');
    expect([webhook, webhook, changed, changed].map(secretOf)).toEqual([
      'first-secret',
      'first-secret',
      'second-secret',
      'second-secret',
    ]);
    expect(opened).toBe(2);
  });

  it('is not given to a webhook that it was not sealed for, even when it is known.', () => {
    const secretOf = openSecrets(secretBox);
    const webhook = webhookRecord({ url: 'http://localhost' }, 'secret');
    expect(secretOf(webhook)).toBe('secret');
    expect(() => secretOf(webhookRecord({ url: 'http://localhost', secret: webhook.secret }))).toThrow(
      'was changed, or sealed for another record',
    );
  });
});
