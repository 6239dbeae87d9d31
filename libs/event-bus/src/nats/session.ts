import { createSignal } from '../port/signal.ts';

/** A period in which the connection is up and the stream stays the same. */
export interface Session {
  epoch: string;
  /** Aborted when the session is over. */
  lost: AbortSignal;
}

/** The sessions of one connection, of which at most one is current. */
interface Sessions {
  current: () => Session | null;
  /** Starts a session with the stream of that epoch, unless it is the current one. */
  start: (epoch: string) => void;
  end: () => void;
  /** The current session or the next one; `null` if `signal` aborts first. */
  next: (signal: AbortSignal) => Promise<Session | null>;
}

export function createSessions(): Sessions {
  let session: Session | null = null;
  let ending = new AbortController();
  const started = createSignal();

  function end(): void {
    ending.abort();
    session = null;
  }

  return {
    current: () => session,
    end,
    start(epoch) {
      if (session?.epoch === epoch) return;
      end();
      ending = new AbortController();
      session = { epoch, lost: ending.signal };
      started.send();
    },
    async next(signal) {
      while (!session && !signal.aborted) await started.next(signal);
      return session;
    },
  };
}
