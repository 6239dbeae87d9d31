import { atEnd } from '@svcforms/test-kit';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A way to an engine that a test makes slow, or cuts. */
export interface UnsteadyLink {
  port: number;
  /** Every piece of data takes so long from now on; 0: none. Milliseconds. */
  slow(ms: number): void;
  /** Resets every connection that there is, and those that come until `mend`. */
  cut(): void;
  mend(): void;
}

/** A TCP proxy on loopback, which `host:port` is reached through. */
export async function openLink(target: { host: string; port: number }): Promise<UnsteadyLink> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isCut = false;

  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => {
        // The close that follows is enough.
      });
      void carry(from, to);
    }
    if (isCut) near.resetAndDestroy();
  });

  /** In order, one piece at a time; the sender waits, as it would for a slow network. */
  async function carry(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (delayMs > 0) await pause(delayMs);
        if (!to.write(piece as Buffer))
          await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      }
      to.end();
    } catch {
      // It was cut.
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    slow: (ms) => void (delayMs = ms),
    cut() {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => void (isCut = false),
  };
}
