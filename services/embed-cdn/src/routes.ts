import { AppError } from '@svcforms/contracts';
import { route, sendFile, type Reply, type Route, type StaticFile } from '@svcforms/http';
import { createFormFiles, type FormFilesDeps } from './forms/form-files.ts';
import { missingPage, pageHeaders, PREVIEW_HEADERS, previewPage } from './forms/hosted-page.ts';

/** What every answer of this service says: any page may use it, as what it is. */
const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;
/** Short, because the file has no version in its name; what is served meanwhile may be a day old. */
const LOADER = { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400' };
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/** Not `no-store`: a browser doesn't finish such a response when the page never reads its body, for example that of a 404. */
const REVALIDATE = 'no-cache';
const A_MINUTE = { 'Cache-Control': 'public, max-age=60' };
const HASHED = /^([a-z]+)\.[0-9a-f]{12}\.js$/;
/** A chunk that is seldom asked for, whose hash the loader has no room for. */
const UNHASHED = /^(debug)\.js$/;

const missing = (what: string) =>
  new AppError('NOT_FOUND', `There is no such ${what}`, { headers: { ...OPEN_HEADERS, Vary: 'Origin' } });

const sendOpen: typeof sendFile = (file, request, headers) =>
  sendFile(file, request, { ...OPEN_HEADERS, ...headers });

/** Everything that pages load: the embed, its chunks, forms as browsers may see them, and their own pages. */
export function routes(deps: FormFilesDeps & { scripts: () => ReadonlyMap<string, StaticFile> }): Route[] {
  const findFiles = createFormFiles(deps);
  const notFoundPage = { type: 'text/html; charset=utf-8', body: missingPage() };

  const script = (name: string, request: Parameters<typeof sendFile>[1]): Reply => {
    const file = deps.scripts().get(name);
    if (!file) throw missing('file');
    return sendOpen(file, request, HASHED.test(name) ? FOREVER : LOADER);
  };

  /** The file of a chunk, by its name without the hash. */
  const fileOf = (chunk: string): string => {
    const file = [...deps.scripts().keys()].find((name) => HASHED.exec(name)?.[1] === chunk);
    if (!file) throw missing('file');
    return file;
  };

  /** For a loader that a browser kept over an update: the chunk that it names is gone, and this one does the same. */
  const newerChunk = (chunk: string): Reply => ({
    status: 302,
    headers: { ...OPEN_HEADERS, Location: `/embed/${fileOf(chunk)}`, 'Cache-Control': 'no-store' },
    content: { type: 'text/plain', body: '' },
  });

  return [
    route({
      method: 'GET',
      path: '/embed.js',
      summary: 'The script that shows forms on a page',
      access: 'public',
      isPage: true,
      crossOrigin: true,
      status: 200,
      handler: async (request) => script('embed.js', request),
    }),
    route({
      method: 'GET',
      path: '/embed/forms/:id.json',
      summary: 'What a browser may see of a form',
      access: 'public',
      isPage: true,
      crossOrigin: true,
      cacheControl: REVALIDATE,
      status: 200,
      errors: ['NOT_FOUND'],
      handler: async (request) => {
        const files = await findFiles(request.params.id);
        if (!files) throw missing('form');
        return sendOpen(files.json, request, A_MINUTE);
      },
    }),
    route({
      method: 'GET',
      path: '/embed/preview',
      summary: 'Where the dashboard shows forms that are not saved yet',
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
      summary: 'A part of the script that is loaded when it is needed',
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
      summary: 'The page of a form, as a link or in a frame',
      access: 'public',
      isPage: true,
      status: 200,
      errors: ['NOT_FOUND'],
      handler: async (request) => {
        const files = await findFiles(request.params.id);
        if (files) return sendOpen(files.page, request, { ...A_MINUTE, ...files.pageHeaders });
        if (!request.headers.accept?.includes('text/html')) throw missing('form');
        return {
          status: 404,
          headers: { ...pageHeaders(), ...OPEN_HEADERS },
          content: notFoundPage,
        };
      },
    }),
  ];
}
