import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pickEncoding, type Encoding } from './accept-encoding.ts';
import type { Reply, RouteRequest } from '../routes/route.ts';

/** Bytes that are served as they are, with their compressed forms made beforehand. */
export interface StaticFile {
  type: string;
  body: Buffer;
  compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** Of the content, without quotes. */
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

/** A file that the build left at `path`, with its `.br` and `.gz` beside it. @throws Error where one of them is missing. */
export function readBuiltFile(type: string, path: string): StaticFile {
  const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
  return staticFile(type, readFileSync(path), compressed);
}

/**
 * The file in the best form that the client takes; 304 without it where the client has it. Each form has an ETag of its
 * own, because a strong one names bytes. `headers` are for both answers.
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

/** Weak tags match too: proxies that compress weaken them. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
