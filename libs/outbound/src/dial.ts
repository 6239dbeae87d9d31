import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { connectFailure, Failure, tlsFailure } from './failure.ts';
import { literalOf, nameOf, type Target } from './judge-url.ts';
import { certificatesOf, proxyOf, type Policy } from './policy.ts';
import { openTunnel } from './proxy-tunnel.ts';
import type { ResolveTarget } from './resolve-target.ts';

/**
 * Opens a connection to a target: its addresses are found once and judged, and only those are dialled; its name is
 * kept for the certificate and for SNI.
 * @param signal ends the attempt; its reason is what the promise rejects with
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
            // Called for names only. Node tries these addresses in turn and asks nobody else.
            lookup: alwaysAnswering(resolution.addresses),
            autoSelectFamily: true,
            keepAlive: true,
            noDelay: true,
          }),
          { event: 'connect', signal, failure: connectFailure },
        );
    if (url.protocol === 'http:') return socket;

    // A dot that ends the name belongs neither into SNI nor into the comparison with the certificate.
    const host = literalOf(url) ?? nameOf(url);
    const secured = tls.connect({
      socket,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 doesn't count here.
      rejectUnauthorized: true,
    });
    return opened(secured, { event: 'secureConnect', signal, failure: tlsFailure });
  };
}

/** Without authorities of the operator's own, Node keeps one store of the system's for all connections. */
function trustOf(policy: Policy): tls.SecureContextOptions {
  const added = certificatesOf(policy);
  if (added.length === 0) return {};
  // Since Node 22.15; it knows NODE_EXTRA_CA_CERTS and --use-system-ca too.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return { ca: [...(getCACertificates?.('default') ?? tls.rootCertificates), ...added] };
}

function alwaysAnswering(addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
}

/** Waits for `event`; destroys the socket when an error or the signal comes first. */
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
    // Stays on for good: between here and the socket's next owner nothing else would listen.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error === signal.reason ? error : failure(error));
    });
  });
}
