import type { Route } from '@svcforms/http';
import { createReceiptKeys, type SecretBox } from '@svcforms/signing';
import { publicJsonRoute } from './public-json.ts';

/**
 * The public keys of approval receipts as a JSON Web Key Set (RFC 7517), for programs that verify a
 * receipt offline. docs/reference/tasks.md#verify-a-receipt
 */
export function receiptKeyRoutes({ secretBox }: { secretBox: Pick<SecretBox, 'derive'> }): Route[] {
  const { jwks } = createReceiptKeys(secretBox);
  return [
    publicJsonRoute(
      { keys: jwks },
      {
        path: '/.well-known/jwks.json',
        summary: 'List the public keys of approval receipts',
        limit: 'public',
      },
    ),
  ];
}
