import { atEnd } from '@svcforms/test-kit';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A connection to a backend that a test can slow down or cut. */
export interface UnsteadyLink {
  port: number;
  /** Delays each chunk of data by `ms` from now on; 0 disables the delay. */
  slow(ms: number): void;
  /** Resets every open connection, and every new one until `mend`. */
  cut(): void;
  mend(): void;
}

/** Opens a TCP proxy on loopback to `target`. */
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
        // The `close` event follows and does the cleanup.
      });
      void carry(from, to);
    }
    if (isCut) near.resetAndDestroy();
  });

  /** Forwards chunks in order, one at a time; the sender waits as on a slow network. */
  async function carry(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (delayMs > 0) await pause(delayMs);
        if (!to.write(piece as Buffer))
          await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      }
      to.end();
    } catch {
      // The test cut the connection.
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
