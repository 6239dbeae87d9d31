import { createServer } from 'node:net';

/**
 * Below the ephemeral port range, so that no outgoing connection takes the port between a stop and
 * a restart.
 */
const FIRST = 15_000;
const COUNT = 15_000;

/** Returns a free TCP port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
