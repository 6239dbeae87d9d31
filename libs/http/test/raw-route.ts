import { route, type Reply, type Route } from '../src/routes/route.ts';

/** `POST /api/raw`, which takes any bytes from anybody. */
export function rawRoute(handle: (rawBody: Buffer) => Promise<Reply>): Route {
  return route({
    method: 'POST',
    path: '/api/raw',
    summary: 'Takes bytes',
    access: 'public',
    takesRawBody: true,
    status: 202,
    handler: ({ rawBody }) => handle(rawBody),
  });
}
