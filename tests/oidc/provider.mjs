// A real identity provider for tests: oidc-provider under the path of ISSUER. The login name is
// `sub`, and selects the claims: CLAIMS is JSON, an object of claims by login name. The ID token of
// `mallory` is signed by nobody.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { ISSUER = '', REDIRECT_URI, CLAIMS } = process.env;
const { port, pathname } = new URL(ISSUER);
const claims = JSON.parse(CLAIMS ?? '{}');
const provider = new Provider(ISSUER, {
  clients: [
    { client_id: 'svcforms', client_secret: 'a secret of the test', redirect_uris: [REDIRECT_URI ?? ''] },
  ],
  cookies: { keys: ['only in tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'auth_time'] },
  findAccount: (/** @type {unknown} */ _context, /** @type {string} */ sub) => ({
    accountId: sub,
    claims: () => ({ sub, ...claims[sub] }),
  }),
});
const handle = provider.callback();
const withoutSignature = (/** @type {unknown} */ body) =>
  String(body).replace(/"id_token":"[^.]+\.([^.]+)\.([^"]+)/, (found, payload, signature) =>
    JSON.parse(Buffer.from(payload, 'base64url').toString()).sub === 'mallory'
      ? found.replace(signature, 'A'.repeat(signature.length))
      : found,
  );
createServer((request, response) => {
  if (!request.url?.startsWith(`${pathname}/`)) return response.writeHead(404).end();
  // As Express does: the provider takes the path from the difference.
  Object.assign(request, { originalUrl: request.url, url: request.url.slice(pathname.length) });
  if (request.url === '/token') {
    const end = response.end.bind(response);
    Object.assign(response, { end: (/** @type {unknown} */ body) => end(withoutSignature(body)) });
  }
  return handle(request, response);
}).listen(Number(port), '127.0.0.1');
