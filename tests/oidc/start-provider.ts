import { atEnd, freePort, poll, root, tempFolder } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The claims of a user by login name, which is `sub`. */
type ClaimsByLogin = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Starts a real identity provider (oidc-provider) as a process, for a product at `baseUrl`. Its
 * login page takes the login names of `claims` with any password.
 */
export async function startProvider({ baseUrl, claims }: { baseUrl: string; claims: ClaimsByLogin }) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}/realms/forms`;
  const provider = spawn(process.execPath, [`${root}tests/oidc/provider.mjs`], {
    env: {
      ...process.env,
      ISSUER: issuer,
      REDIRECT_URI: `${baseUrl}/api/auth/oidc/callback`,
      CLAIMS: JSON.stringify(claims),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(provider, 'exit');
  atEnd(() => void provider.kill());
  const secretFile = join(tempFolder(), 'secret');
  writeFileSync(secretFile, 'a secret of the test\n');
  const metadata = `${issuer}/.well-known/openid-configuration`;
  await poll(
    () =>
      fetch(metadata).then(
        ({ ok }) => ok,
        () => false,
      ),
    { what: 'the identity provider' },
  );
  return {
    issuer,
    /** Settings of the product. */
    env: {
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_CLIENT_ID: 'svcforms',
      SVC_OIDC_CLIENT_SECRET_FILE: secretFile,
    },
    async stop(): Promise<void> {
      provider.kill();
      await exited;
    },
  };
}
