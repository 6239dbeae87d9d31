import { readSettings } from './settings.ts';
import { requireBackends } from './backend-settings.ts';

const whole = {
  NATS_URL: 'nats://nats:4222',
  MONGODB_URL: 'mongodb://mongo:27017/svcforms',
  SVC_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('a service that runs by itself', () => {
  it('has the addresses of its backends and its keys', () => {
    expect(requireBackends(readSettings(whole))).toEqual({
      natsUrl: whole.NATS_URL,
      mongoUrl: whole.MONGODB_URL,
      encryptionKeys: [whole.SVC_ENCRYPTION_KEY],
    });
  });

  it('that needs neither bus nor keys requires only the store, and gets nothing else', () => {
    const none = { bus: false, encryptionKeys: false };
    const { MONGODB_URL: mongoUrl } = whole;
    const expected = { natsUrl: '', mongoUrl, encryptionKeys: [] };
    expect(requireBackends(readSettings({ MONGODB_URL: mongoUrl }), none)).toEqual(expected);
    expect(requireBackends(readSettings(whole), none)).toEqual(expected);
    expect(() => requireBackends(readSettings({}), none)).toThrow(/^MONGODB_URL is required/);
  });

  it.each(Object.keys(whole))('refuses to start without %s, and names it', (name) => {
    const settings = readSettings({ ...whole, [name]: undefined });
    expect(() => requireBackends(settings)).toThrow(
      expect.objectContaining({ name: 'SettingsError', message: expect.stringMatching(`^${name} `) }),
    );
  });
});
