import { readSettings } from './settings.ts';
import { tempFolder, testCertificate } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetPolicy } from './target-policy.ts';

const policyOf = (environment: Record<string, string>) => targetPolicy(readSettings(environment));

describe('the policy for targets', () => {
  it('allows nothing beyond the public internet where nothing is set', () => {
    expect(policyOf({})).toEqual({
      allowedTargets: [],
      allowHttp: false,
      ownOrigin: 'http://localhost:8080',
      dnsServers: [],
    });
  });

  it('is what is set, with the certificates of the file', async () => {
    const { ca, caFile } = await testCertificate(['127.0.0.1']);
    expect(
      policyOf({
        SVC_ALLOWED_TARGETS: '10.0.0.0/8, fd00::/8',
        SVC_ALLOW_HTTP: 'true',
        SVC_TARGET_CA: caFile,
        SVC_OUTBOUND_PROXY: 'http://proxy.example:3128',
        SVC_DNS_SERVERS: '10.0.0.10, [fd00::10]:5353',
        SVC_BASE_URL: 'https://forms.example/',
      }),
    ).toEqual({
      allowedTargets: ['10.0.0.0/8', 'fd00::/8'],
      allowHttp: true,
      ownOrigin: 'https://forms.example',
      dnsServers: ['10.0.0.10', '[fd00::10]:5353'],
      ca,
      proxy: 'http://proxy.example:3128',
    });
  });

  it.each([
    ['is not there', () => join(tempFolder(), 'none.pem'), /^SVC_TARGET_CA \S+ can't be read: ENOENT/],
    [
      'holds something else',
      () => {
        const path = join(tempFolder(), 'text.pem');
        writeFileSync(path, 'hello');
        return path;
      },
      /^SVC_TARGET_CA \S+ holds no certificate in PEM: /,
    ],
  ])('is refused where the file of certificates %s', (_, path, message) => {
    expect(() => policyOf({ SVC_TARGET_CA: path() })).toThrow(
      expect.objectContaining({ name: 'SettingsError', message: expect.stringMatching(message) }),
    );
  });
});
