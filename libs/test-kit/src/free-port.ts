import { createServer } from 'node:net';

/** Below the range that systems take outgoing connections' ports from: none of those gets in between a stop and a restart. */
const FIRST = 15_000;
const COUNT = 15_000;

/** A TCP port that nobody listens on. */
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
