import { AppError } from '@svcforms/contracts';
import { isIP } from 'node:net';

interface Origins {
  get(header: string): string;
  /** That the client called, with the port. */
  host: string;
}

/**
 * A browser says where a request that changes something comes from; from elsewhere than our own pages it is refused. Clients
 * that say nothing are no browsers: what they send they mean to send.
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
      `This call is taken from ${baseUrl} alone, not from other sites`,
    );
  }
}

/**
 * The page's host may be another address of ours than the public one, as long as it is the one that is called. Another name may
 * not: its owner could let it lead to us for the visitor alone (DNS rebinding).
 */
function isOwn(origin: string, host: string, baseUrl: string): boolean {
  const { origin: publicOrigin, protocol } = new URL(baseUrl);
  return origin === publicOrigin || (origin === `${protocol}//${host}` && isAddress(host));
}

function isAddress(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
