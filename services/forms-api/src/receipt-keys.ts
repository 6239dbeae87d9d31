import { route, sendFile, staticFile, type Route } from '@svcforms/http';
import { createReceiptKeys, type SecretBox } from '@svcforms/signing';

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/**
 * The public keys of approval receipts as a JSON Web Key Set (RFC 7517), for programs that verify a
 * receipt offline. docs/reference/tasks.md#verify-a-receipt
 */
export function receiptKeyRoutes({ secretBox }: { secretBox: Pick<SecretBox, 'derive'> }): Route[] {
  const { jwks } = createReceiptKeys(secretBox);
  const file = staticFile('application/json; charset=utf-8', JSON.stringify({ keys: jwks }));
  return [
    route({
      method: 'GET',
      path: '/.well-known/jwks.json',
      summary: 'List the public keys of approval receipts',
      access: 'public',
      limit: 'public',
      crossOrigin: true,
      status: 200,
      isPage: true,
      handler: async (request) => sendFile(file, request, HEADERS),
    }),
  ];
}
