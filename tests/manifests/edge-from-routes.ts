import { atEnd } from '@svcforms/test-kit';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** What this edge implements of an HTTPRoute; it refuses everything else. */
export interface HttpRoute {
  kind: string;
  metadata: { name: string };
  spec: { parentRefs: { name: string; sectionName?: string }[]; hostnames?: string[]; rules: Rule[] };
}

interface Rule {
  matches?: PathMatch[];
  filters?: { type: string; requestRedirect?: { scheme: string; statusCode: number } }[];
  timeouts?: object;
  backendRefs?: { name: string; port: number }[];
}

interface PathMatch {
  path: { type: string; value: string };
}

interface Target {
  path: PathMatch['path'];
  backend: { name: string; port: number };
}

const KNOWN = new Set(['matches', 'timeouts', 'backendRefs']);

/** The route targets of one listener, by the precedence rules of the Gateway API. */
function targetsOf(routes: readonly HttpRoute[], section: string): Target[] {
  const targets = routes
    .filter(({ spec }) => spec.parentRefs.some(({ sectionName }) => sectionName === section))
    .flatMap(({ metadata, spec }) =>
      spec.rules.flatMap((rule) => {
        const unknown = Object.keys(rule).filter((field) => !KNOWN.has(field));
        if (unknown.length > 0) throw new Error(`${metadata.name} has the unknown field ${unknown.join()}`);
        const [backend, another] = rule.backendRefs ?? [];
        if (!backend || another) throw new Error(`${metadata.name} must have one backend in each rule`);
        return (rule.matches ?? []).map(({ path }) => ({ path, backend }));
      }),
    );
  // An exact path comes first, then the longest prefix.
  const rank = ({ path }: Target) => (path.type === 'Exact' ? Infinity : path.value.length);
  return targets.sort((one, other) => rank(other) - rank(one));
}

/** A prefix matches whole segments of the path. */
function matches({ type, value }: PathMatch['path'], pathname: string): boolean {
  if (type === 'Exact') return pathname === value;
  if (type !== 'PathPrefix') throw new Error(`unknown type of match ${type}`);
  const prefix = value.replace(/\/$/, '');
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

/**
 * Starts a reverse proxy that implements the HTTPRoutes of the listener `https`, without TLS, and
 * returns its origin. It stops after the test file.
 *
 * @param addressOf the host and port of a backend
 */
export async function startRouteEdge(
  routes: readonly HttpRoute[],
  addressOf: (backend: { name: string; port: number }) => string,
  port = 0,
): Promise<string> {
  const targets = targetsOf(routes, 'https');

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { pathname } = new URL(incoming.url ?? '/', 'http://edge');
    const target = targets.find(({ path }) => matches(path, pathname));
    if (!target) return void outgoing.writeHead(404).end();
    const [host = '', backendPort] = addressOf(target.backend).split(':');
    const client = incoming.socket.remoteAddress ?? '';
    const before = incoming.headers['x-forwarded-for'];
    const headers = { ...incoming.headers, 'x-forwarded-for': [before, client].filter(Boolean).join(', ') };
    const { method, url } = incoming;
    const upstream = request({ host, port: backendPort, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      pipeline(response, outgoing, () => {});
    });
    upstream.on('error', () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    });
    outgoing.on('close', () => upstream.destroy());
    pipeline(incoming, upstream, () => {});
  }

  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
