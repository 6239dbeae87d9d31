import type { Reply, RouteRequest } from '@svcforms/http-kit';
import { createHash } from 'node:crypto';
import { pickEncoding, type Encoding } from './accept-encoding.ts';

/** Bytes that any site's pages may load, with their compressed forms made beforehand. */
export interface ServedFile {
  type: string;
  body: Buffer;
  compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** Of the content, without quotes. */
  hash: string;
}

/** What every answer of this service says: any page may use it, as what it is. */
export const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function servedFile(
  type: string,
  body: Buffer,
  compressed: ServedFile['compressed'] = {},
): ServedFile {
  return { type, body, compressed, hash: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
}

/**
 * The file in the best form that the client takes; 304 without it where the client has it. Each form has an ETag of its
 * own, because a strong one names bytes.
 */
export function sendFile(
  file: ServedFile,
  request: Pick<RouteRequest, 'headers'>,
  headers: Readonly<Record<string, string>>,
): Reply {
  const accepted = pickEncoding(request.headers['accept-encoding']?.toString());
  const encoding = accepted && file.compressed[accepted] ? accepted : undefined;
  const etag = `"${file.hash}${encoding ? `-${encoding}` : ''}"`;
  const common = { ...OPEN_HEADERS, Vary: 'Accept-Encoding', ETag: etag, ...headers };
  if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers: common };
  return {
    headers: { ...common, ...(encoding && { 'Content-Encoding': encoding }) },
    content: { type: file.type, body: (encoding && file.compressed[encoding]) ?? file.body },
  };
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
