import { route, sendFile, staticFile, type Route } from '@svcforms/http';

/** For JSON that other sites may read. */
export const PUBLIC_JSON_HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** A route for everybody that returns a document that doesn't change while the process runs. */
export function publicJsonRoute(
  document: object,
  { path, summary, limit }: Pick<Route, 'path' | 'summary' | 'limit'>,
): Route {
  const file = staticFile('application/json; charset=utf-8', JSON.stringify(document));
  return route({
    method: 'GET',
    path,
    summary,
    access: 'public',
    limit,
    crossOrigin: true,
    status: 200,
    isPage: true,
    handler: async (request) => sendFile(file, request, PUBLIC_JSON_HEADERS),
  });
}
