import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

interface TestCertificate {
  /** Private key and certificate of the server, PEM. */
  key: string;
  cert: string;
  /** Certificate of the CA that signed it, PEM. */
  ca: string;
  /** A world-readable file with `ca`. */
  caFile: string;
}

/** Creates a certificate for these host names and IP addresses, signed by a new CA. */
export async function testCertificate(hosts: readonly string[]): Promise<TestCertificate> {
  // Only here: loading it takes 0.15 s of CPU, and most test files use no certificate.
  const { generate } = await import('selfsigned');
  const common = { keyType: 'ec', algorithm: 'sha256' } as const;
  const authority = await generate([{ name: 'commonName', value: 'SvcForms test authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'SvcForms test endpoint' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })),
      },
    ],
  });
  const caFile = join(tempFolder(), 'ca.pem');
  writeFileSync(caFile, authority.cert, { mode: 0o644 });
  return { key: server.private, cert: server.cert, ca: authority.cert, caFile };
}
