import { atEnd } from '@svcforms/test-kit';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SitePage {
  html: string;
  headers?: Record<string, string>;
}

/** A customer's site: pages on another origin than the product. */
export interface Site {
  url: string;
  /** Serves this page until the next call, for every request but `/elsewhere`, which is empty. */
  put(page: SitePage): void;
  close(): void;
}

export async function startSite(): Promise<Site> {
  let current: SitePage = { html: '' };
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...current.headers })
      .end(request.url === '/elsewhere' ? '' : current.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    unregister();
    server.closeAllConnections();
    server.close();
  };
  const unregister = atEnd(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (page) => void (current = page),
    close,
  };
}
