import { parseUrl } from '@svcforms/primitives';
import { AppError } from '@svcforms/contracts';
import { isIP } from 'node:net';

interface Origins {
  get(header: string): string;
  /** The host that the client called, with its port. */
  host: string;
}

/**
 * Rejects requests that browsers send from pages other than our own. Browsers name the origin of
 * every request that changes something; clients that name none aren't browsers and can't be tricked
 * into sending cookies.
 * @throws AppError `ORIGIN_NOT_ALLOWED`
 */
export function checkSameOrigin(request: Origins, baseUrl: string): void {
  const origin = request.get('Origin');
  const site = request.get('Sec-Fetch-Site');
  const isOurs = origin
    ? isOwn(origin, request.host, baseUrl)
    : site === '' || site === 'same-origin' || site === 'none';
  if (!isOurs) {
    throw new AppError(
      'ORIGIN_NOT_ALLOWED',
      `This call is allowed from ${baseUrl} only, not from other sites`,
    );
  }
}

/**
 * The page may come from another IP address of ours, if the request goes to the same address. It
 * may not come from another host name, because its owner could resolve it to us for one visitor
 * (DNS rebinding).
 */
function isOwn(origin: string, host: string, baseUrl: string): boolean {
  const { origin: publicOrigin, protocol } = new URL(baseUrl);
  return origin === publicOrigin || (origin === `${protocol}//${host}` && isAddress(host));
}

function isAddress(host: string): boolean {
  const url = parseUrl(`http://${host}`);
  if (!url) return false;
  const { hostname } = url;
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
