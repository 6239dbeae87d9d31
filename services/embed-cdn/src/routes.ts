import { acceptedLanguages, AppError, EmbedQuery, HostedQuery, matchLanguage } from '@svcforms/contracts';
import { route, sendFile, type PathRequest, type Reply, type Route, type StaticFile } from '@svcforms/http';
import { createFormFiles, type FormFilesDeps } from './forms/form-files.ts';
import { createScriptSightings, type ScriptSightingsDeps } from './forms/script-sightings.ts';
import { missingPage, pageHeaders, PREVIEW_HEADERS, previewPage } from './forms/hosted-page.ts';

/** The headers of every response of this service: any page may load it, with its declared type. */
const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;
/** Short, because the file name has no version. Stale copies may be a day old. */
const LOADER = { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400' };
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/**
 * Not `no-store`: a browser doesn't finish such a response when the page never reads its body, for
 * example that of a 404.
 */
const REVALIDATE = 'no-cache';
const shortly = (maxAge: number) => ({ 'Cache-Control': `public, max-age=${maxAge}` });
/** Caches keep a page for each language. */
const BY_LANGUAGE = { Vary: 'Accept-Encoding, Accept-Language' };
const HASHED = /^([a-z]+(?:-[a-z]+)*)\.[0-9a-f]{12}\.js$/;
/** A rarely used chunk. The loader has no room for its hash. */
const UNHASHED = /^(debug)\.js$/;

const missing = (what: string) =>
  new AppError('NOT_FOUND', `There is no such ${what}`, { headers: { ...OPEN_HEADERS, Vary: 'Origin' } });

const sendOpen: typeof sendFile = (file, request, headers) =>
  sendFile(file, request, { ...OPEN_HEADERS, ...headers });

/** Everything that pages load: the embed, its chunks, public forms, and hosted pages. */
export function routes(
  deps: FormFilesDeps & ScriptSightingsDeps & { scripts: () => ReadonlyMap<string, StaticFile> },
): Route[] {
  const findFiles = createFormFiles(deps);
  const noteSighting = createScriptSightings(deps);

  const script = (name: string, request: Parameters<typeof sendFile>[1]): Reply => {
    const file = deps.scripts().get(name);
    if (!file) throw missing('file');
    return sendOpen(file, request, HASHED.test(name) ? FOREVER : LOADER);
  };

  /** Returns the file name of a chunk, given its name without the hash. */
  const fileOf = (chunk: string): string => {
    const file = [...deps.scripts().keys()].find((name) => HASHED.exec(name)?.[1] === chunk);
    if (!file) throw missing('file');
    return file;
  };

  /**
   * For a loader that was cached before an update: the chunk that it names is gone, and its
   * successor has the same exports. The renderer has less to offer than it had to earlier loaders,
   * so another chunk stands between them.
   */
  const newerChunk = (chunk: string): Reply => ({
    status: 302,
    headers: {
      ...OPEN_HEADERS,
      Location: `/embed/${fileOf(chunk === 'ui' ? 'ui-old' : chunk)}`,
      'Cache-Control': 'no-store',
    },
    content: { type: 'text/plain', body: '' },
  });

  return [
    route({
      method: 'GET',
      path: '/embed.js',
      summary: 'Get the embed script',
      access: 'public',
      isPage: true,
      crossOrigin: true,
      status: 200,
      handler: async (request) => script('embed.js', request),
    }),
    route({
      method: 'GET',
      path: '/embed/forms/:id.json',
      summary: 'Get the public data of a form',
      access: 'public',
      isPage: true,
      crossOrigin: true,
      cacheControl: REVALIDATE,
      query: EmbedQuery,
      status: 200,
      errors: ['NOT_FOUND'],
      handler: async (request) => {
        const files = await findFiles(request.params.id);
        if (!files) throw missing('form');
        noteSighting(request.params.id, request.headers.origin);
        const language = matchLanguage([request.query.lang].flat());
        return sendOpen(await files.json(language), request, shortly(files.maxAge));
      },
    }),
    route({
      method: 'GET',
      path: '/embed/preview',
      summary: 'Preview an unsaved form for the dashboard',
      access: 'public',
      isPage: true,
      cacheControl: REVALIDATE,
      status: 200,
      handler: async () => ({
        headers: { ...PREVIEW_HEADERS, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' },
        content: { type: 'text/html; charset=utf-8', body: previewPage(fileOf('preview')) },
      }),
    }),
    route({
      method: 'GET',
      path: '/embed/:file',
      summary: 'Get a chunk of the embed script',
      access: 'public',
      isPage: true,
      crossOrigin: true,
      cacheControl: REVALIDATE,
      status: 200,
      errors: ['NOT_FOUND'],
      handler: async (request) => {
        const name = request.params.file;
        const [, chunk] = HASHED.exec(name) ?? UNHASHED.exec(name) ?? [];
        if (!chunk) throw missing('file');
        return deps.scripts().has(name) ? script(name, request) : newerChunk(chunk);
      },
    }),
    route({
      method: 'GET',
      path: '/f/:id',
      summary: 'Get the hosted page of a form',
      access: 'public',
      isPage: true,
      query: HostedQuery,
      status: 200,
      errors: ['NOT_FOUND'],
      handler: hostedPages(findFiles),
    }),
  ];
}

/** Answers with the page of a form, in a language of the visitor. */
function hostedPages(findFiles: ReturnType<typeof createFormFiles>) {
  return async (
    request: PathRequest<'id', ReturnType<(typeof HostedQuery)['parse']>, unknown, null>,
  ): Promise<Reply> => {
    const { params, query, headers } = request;
    const files = await findFiles(params.id);
    const tags = [query['svc-lang'] ?? [], acceptedLanguages(headers['accept-language'])].flat();
    if (files) {
      return sendOpen(await files.page(tags), request, {
        ...shortly(files.maxAge),
        ...files.pageHeaders,
        ...BY_LANGUAGE,
      });
    }
    if (!headers.accept?.includes('text/html')) throw missing('form');
    return {
      status: 404,
      headers: { ...pageHeaders(), ...OPEN_HEADERS, ...BY_LANGUAGE },
      content: { type: 'text/html; charset=utf-8', body: missingPage(matchLanguage(tags) ?? 'en') },
    };
  };
}
