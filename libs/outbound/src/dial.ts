import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { connectFailure, Failure, tlsFailure } from './failure.ts';
import { literalOf, nameOf, type Target } from './check-url.ts';
import { certificatesOf, proxyOf, type Policy } from './policy.ts';
import { openTunnel } from './proxy-tunnel.ts';
import type { ResolveTarget } from './resolve-target.ts';

/**
 * Opens a connection to a target. Its addresses are looked up once and checked, and only these are
 * dialed; its name is used for SNI and the certificate check.
 * @param signal cancels the attempt; the promise rejects with its reason
 * @throws Failure `blocked_target`, `dns`, `connect`, `tls`
 */
export type Dial = (
  target: Target,
  context: { signal: AbortSignal; accountId?: string | undefined },
) => Promise<Socket>;

export function createDial(policy: Policy, resolveTarget: ResolveTarget): Dial {
  const proxy = proxyOf(policy);
  const secureContext = tls.createSecureContext(trustOf(policy));

  return async (target, { signal, accountId }) => {
    const { url } = target;
    const resolution = await resolveTarget(target, { signal, accountId });
    if ('refusal' in resolution) throw new Failure('blocked_target', resolution.refusal.message);

    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const socket = proxy
      ? await openTunnel({ proxy, secureContext, addresses: resolution.addresses, port, signal })
      : await opened(
          connectTcp({
            host: literalOf(url) ?? url.hostname,
            port,
            // Called for names only. Node tries these addresses in turn and makes no other lookup.
            lookup: fixedLookup(resolution.addresses),
            autoSelectFamily: true,
            keepAlive: true,
            noDelay: true,
          }),
          { event: 'connect', signal, failure: connectFailure },
        );
    if (url.protocol === 'http:') return socket;

    // Neither SNI nor the certificate check accepts a trailing dot.
    const host = literalOf(url) ?? nameOf(url);
    const secured = tls.connect({
      socket,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here.
      rejectUnauthorized: true,
    });
    return opened(secured, { event: 'secureConnect', signal, failure: tlsFailure });
  };
}

/**
 * Without additional authorities, the default context lets Node share one certificate store between
 * connections.
 */
function trustOf(policy: Policy): tls.SecureContextOptions {
  const added = certificatesOf(policy);
  if (added.length === 0) return {};
  // Since Node 22.15; it knows NODE_EXTRA_CA_CERTS and --use-system-ca too.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return { ca: [...(getCACertificates?.('default') ?? tls.rootCertificates), ...added] };
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
}

/** Resolves on `event`. On an error or an abort before it, destroys the socket and rejects. */
function opened(
  socket: Socket,
  options: { event: 'connect' | 'secureConnect'; signal: AbortSignal; failure: (error: Error) => Failure },
): Promise<Socket> {
  const { event, signal, failure } = options;
  return new Promise((resolve, reject) => {
    const onAbort = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once(event, () => {
      signal.removeEventListener('abort', onAbort);
      resolve(socket);
    });
    // Stays for the life of the socket: an error without a handler would end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error === signal.reason ? error : failure(error));
    });
  });
}
