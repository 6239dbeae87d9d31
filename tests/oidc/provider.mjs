// A real identity provider for tests: oidc-provider on PORT. The login name is `sub`, and selects the
// claims: CLAIMS is JSON, an object of claims by login name.
import { Provider } from 'oidc-provider';

const { PORT, REDIRECT_URI, CLAIMS } = process.env;
const claims = JSON.parse(CLAIMS ?? '{}');
const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [
    { client_id: 'svcforms', client_secret: 'a secret of the test', redirect_uris: [REDIRECT_URI ?? ''] },
  ],
  cookies: { keys: ['only in tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'auth_time'] },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims[sub] }) }),
});
provider.listen(Number(PORT), '127.0.0.1');
