import { WebhookKeysQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { route, sendFile, staticFile, type Route } from '@svcforms/http';
import type { WebhookRecord } from '@svcforms/records';
import { PUBLIC_JSON_HEADERS } from '../public-json.ts';

/** The list has the newest keys. A receiver of another one asks for it by its id. */
const MAX_KEYS = 1000;

/**
 * The public keys of webhooks, for everybody who verifies signatures.
 * docs/reference/webhooks.md#public-keys
 */
export function publicKeyRoutes({
  webhooks,
}: {
  webhooks: Pick<Collection<WebhookRecord>, 'find'>;
}): Route[] {
  return [
    route({
      method: 'GET',
      path: '/.well-known/webhooks-keys.json',
      summary: 'List the public keys of webhooks',
      access: 'public',
      limit: 'public',
      crossOrigin: true,
      query: WebhookKeysQuery,
      status: 200,
      isPage: true,
      handler: async (request) => {
        const { id } = request.query;
        const found = await webhooks.find(
          { 'signingKey.id': id === undefined ? { $exists: true } : id },
          { sort: ['-createdAt', '-_id'], limit: MAX_KEYS },
        );
        const keys = found.flatMap(({ signingKey }) =>
          signingKey ? [{ id: signingKey.id, publicKey: signingKey.publicKey }] : [],
        );
        return sendFile(
          staticFile('application/json; charset=utf-8', JSON.stringify({ keys })),
          request,
          PUBLIC_JSON_HEADERS,
        );
      },
    }),
  ];
}
