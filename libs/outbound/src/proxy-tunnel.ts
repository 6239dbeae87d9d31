import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { unescape } from 'node:querystring';
import type { SecureContext } from 'node:tls';
import { connectFailure } from './failure.ts';

interface TunnelOptions {
  proxy: URL;
  secureContext: SecureContext;
  /** Tried in turn. They are addresses, so that the proxy makes no lookup of its own. */
  addresses: readonly string[];
  port: number;
  signal: AbortSignal;
}

/**
 * Opens a connection through an HTTP(S) proxy with CONNECT. undici's ProxyAgent isn't used: it
 * sends names, which the proxy would look up a second time, and it dials endlessly when the proxy
 * closes connections.
 * @throws Failure `connect`
 */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const failures: Error[] = [];
  for (const address of options.addresses) {
    try {
      return await tunnelTo(address, options);
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push(error as Error);
    }
  }
  throw connectFailure(new AggregateError(failures));
}

function tunnelTo(address: string, options: TunnelOptions): Promise<Socket> {
  const { proxy, secureContext, port, signal } = options;
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  // For an HTTPS proxy: by default, Node takes the name from the Host header, which is the
  // target's.
  const trust = { servername: isIP(host) ? '' : host, secureContext, rejectUnauthorized: true };
  const request = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request({
      host,
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
      ...trust,
    })
      .on('connect', ({ statusCode }, socket: Socket, head) => {
        socket.on('error', () => {});
        if (statusCode !== 200) {
          socket.destroy();
          reject(new Error(`the outbound proxy responded with status ${statusCode}`));
          return;
        }
        if (head.length > 0) socket.unshift(head);
        socket.setNoDelay(true);
        resolve(socket);
      })
      .on('error', (cause) => reject(new Error(`the outbound proxy failed: ${cause.message}`, { cause })))
      .end();
  });
}

function credentialsOf(proxy: URL): { 'proxy-authorization'?: string } {
  if (proxy.username === '' && proxy.password === '') return {};
  const pair = `${unescape(proxy.username)}:${unescape(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
