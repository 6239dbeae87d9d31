import { STATUS_CODES, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Logger } from '@svcforms/primitives';
import type { RequestContext, Step } from '../routes/request-context.ts';
import type { RequestState } from '../routes/request-state.ts';
import type { Route } from '../routes/route.ts';
import { clientAddress } from './client-address.ts';

type Respond = (ctx: RequestContext) => Promise<unknown>;

interface FastPathOptions {
  /** Those with `isHot` are served. */
  routes: readonly Route[];
  /** The steps that Koa runs before every handler, in order. */
  steps: readonly Step[];
  handlerOf: (route: Route) => Respond;
  trustedProxies: number;
  log: Pick<Logger, 'debug' | 'error'>;
}

/**
 * Serves the plain requests to hot routes without Koa, whose context and routing take a tenth of
 * the CPU time of an event. The steps and the handler are those that Koa runs. Every other request,
 * also one to a hot route with a query or an encoded path, goes to `others`. docs/adr/0082
 */
export function fastPath(options: FastPathOptions, others: RequestListener): RequestListener {
  const hot = options.routes
    .filter(({ isHot }) => isHot)
    .map((route) => ({
      method: route.method,
      path: pathPattern(route.path),
      respond: chain(options.steps, options.handlerOf(route)),
    }));
  const { trustedProxies, log } = options;

  return function listen(request, response) {
    const { url = '', method } = request;
    for (const route of hot) {
      const match = method === route.method ? route.path.exec(url) : null;
      if (!match) continue;
      const ctx = new PlainContext(request, response, { ...match.groups }, trustedProxies);
      const send = () => sendBody(ctx, log);
      route
        .respond(ctx)
        .then(send)
        .catch((error: unknown) => fail(ctx, error, log));
      return;
    }
    others(request, response);
  };
}

/** Matches a path whose parameters need no decoding, and nothing else. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`);
}

function chain(steps: readonly Step[], handle: Respond): Respond {
  return steps.reduceRight<Respond>((next, step) => (ctx) => step(ctx, () => next(ctx)), handle);
}

/** The part of Koa's context that the steps use. Bodies are JSON: text, or values to serialize. */
class PlainContext implements RequestContext {
  readonly state: RequestState = { requestId: '', logFields: {} };
  readonly query = {};
  readonly res: ServerResponse & { req: IncomingMessage };
  readonly outgoing: Record<string, string | number> = {};
  status = 404;
  respond = true;
  /**
   * The entry of the farthest trusted proxy, or else the peer. A socket that the client has closed
   * has no address.
   */
  readonly ip: string;
  #body: unknown;

  constructor(
    readonly req: IncomingMessage,
    response: ServerResponse,
    readonly params: Record<string, string>,
    private readonly trustedProxies: number,
  ) {
    this.res = response as ServerResponse & { req: IncomingMessage };
    this.ip = clientAddress(this.#forwarded()[0] || req.socket.remoteAddress || '');
  }

  get method(): string {
    return this.req.method ?? '';
  }

  get path(): string {
    return this.req.url ?? '';
  }

  get headers() {
    return this.req.headers;
  }

  get protocol(): string {
    if ('encrypted' in this.req.socket) return 'https';
    const [given = ''] = this.trustedProxies > 0 ? this.get('X-Forwarded-Proto').split(',') : [];
    return given.trim().toLowerCase() || 'http';
  }

  get(name: string): string {
    return this.req.headers[name.toLowerCase()]?.toString() ?? '';
  }

  set(name: string | Readonly<Record<string, unknown>>, value?: unknown): void {
    const given = typeof name === 'string' ? { [name]: value } : name;
    for (const [key, each] of Object.entries(given)) this.outgoing[key] = String(each);
  }

  set type(type: string) {
    this.outgoing['Content-Type'] = type;
  }

  get type(): string {
    return String(this.outgoing['Content-Type'] ?? '');
  }

  set body(body: unknown) {
    this.#body = body;
    if (this.type === '') this.type = typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
    if (typeof body === 'string') this.outgoing['Content-Length'] = Buffer.byteLength(body);
  }

  get body(): unknown {
    return this.#body;
  }

  #forwarded(): string[] {
    const header = this.trustedProxies > 0 ? this.get('X-Forwarded-For') : '';
    return header === ''
      ? []
      : header
          .split(',')
          .slice(-this.trustedProxies)
          .map((each) => each.trim());
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

function sendBody({ res, status, body, outgoing }: PlainContext, log: FastPathOptions['log']): void {
  // A response in a pipeline has no socket until those before it are sent, but its request has one.
  if (!res.writable || res.req.socket.destroyed) {
    log.debug({ event: 'http.connection_failed' }, 'sending a response failed');
    res.end();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  outgoing['Content-Length'] ??= Buffer.byteLength(text);
  res.writeHead(status, STATUS_CODES[status], outgoing).end(text);
}

/** The steps turn every failure into a response, so this is a bug of ours. */
function fail({ res }: PlainContext, error: unknown, log: FastPathOptions['log']): void {
  log.error({ event: 'http.connection_failed', err: error }, 'sending a response failed');
  if (!res.headersSent) res.writeHead(500, { 'Content-Length': 0 });
  res.end();
}
