import type { Reply } from '@svcforms/http-kit';
import type { IncomingHttpHeaders } from 'node:http';
import type { Asset } from './dashboard-files.ts';

/** Their names carry a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The file in the best form that the browser takes; 304 where it has it. Each form has an ETag of its own. */
export function sendAsset(asset: Asset, headers: IncomingHttpHeaders): Reply {
  const accepted = headers['accept-encoding']?.toString() ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
  const etag = `"${asset.hash}${encoding ? `-${encoding}` : ''}"`;
  const common = {
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': FOREVER,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  if (headers['if-none-match']?.split(/, */).includes(etag)) return { status: 304, headers: common };
  return {
    headers: { ...common, ...(encoding && { 'Content-Encoding': encoding }) },
    content: { type: asset.type, body: encoding ? asset[encoding] : asset.body },
  };
}
