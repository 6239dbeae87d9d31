import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pickEncoding, type Encoding } from './accept-encoding.ts';
import type { Reply, RouteRequest } from '../routes/route.ts';

/** Content that is served unchanged, with precompressed forms. */
export interface StaticFile {
  type: string;
  body: Buffer;
  compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** Of the content; the base of its ETags. */
  hash: string;
}

export function staticFile(
  type: string,
  content: Buffer | string,
  compressed: StaticFile['compressed'] = {},
): StaticFile {
  const body = Buffer.from(content);
  return { type, body, compressed, hash: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
}

/**
 * Reads a file of the build, with its `.br` and `.gz`. @throws Error when one of them is missing
 */
export function readBuiltFile(type: string, path: string): StaticFile {
  const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
  return staticFile(type, readFileSync(path), compressed);
}

/**
 * Replies with the file in the best encoding that the client accepts, or with 304 if the client has
 * it. Each encoding has its own ETag, because a strong ETag identifies bytes. `headers` are sent
 * with both statuses.
 */
export function sendFile(
  { type, body, compressed, hash }: StaticFile,
  request: Pick<RouteRequest, 'headers'>,
  headers: Readonly<Record<string, string>>,
): Reply {
  const accepted = pickEncoding(request.headers['accept-encoding']?.toString());
  const encoding = accepted && compressed[accepted] ? accepted : undefined;
  const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
  const common = {
    'X-Content-Type-Options': 'nosniff',
    ...(Object.keys(compressed).length > 0 && { Vary: 'Accept-Encoding' }),
    ETag: etag,
    ...headers,
  };
  if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers: common };
  return {
    headers: { ...common, ...(encoding && { 'Content-Encoding': encoding }) },
    content: { type, body: (encoding && compressed[encoding]) ?? body },
  };
}

/** Weak tags match too, because proxies that compress make them weak. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
