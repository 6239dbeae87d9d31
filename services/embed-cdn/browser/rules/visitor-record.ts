import type { PublicForm } from '@svcforms/contracts';

const DAY_MS = 86_400_000;

/** What this browser stores about a visitor and a form. Times are milliseconds since the epoch. */
interface Memory {
  /** When the frequency cap last started. */
  waitFrom?: number;
  /** The number of impressions that a trigger caused. */
  shows?: number;
  declinedAt?: number;
}

export interface VisitorRecord {
  /**
   * Whether the frequency cap, the maximum impressions, and the snooze after a decline all allow
   * the popup. docs/reference/popups.md#frequency-cap
   */
  mayShow: (popup: NonNullable<PublicForm['popup']>) => boolean;
  /** Records that a trigger opened the form. */
  shown: () => void;
  /** Records that the form was closed without a decision, or submitted. */
  beginWait: () => void;
  declined: () => void;
}

/** This page's values where storage is blocked or full; they are newer than the stored ones. */
const fallback: Record<string, string> = {};

type StorageName = 'localStorage' | 'sessionStorage';

export function createVisitorRecord(formId: string): VisitorRecord {
  const key = `svc:${formId}`;

  /** The storage getter itself may throw. */
  const load = (storage: StorageName) => {
    try {
      return fallback[storage + key] ?? window[storage].getItem(key);
    } catch {
      return undefined;
    }
  };
  const save = (storage: StorageName, value: string) => {
    try {
      window[storage].setItem(key, value);
      delete fallback[storage + key];
    } catch {
      fallback[storage + key] = value;
    }
  };
  const read = (): Memory => {
    try {
      return (JSON.parse(load('localStorage') as string) as Memory | null) ?? {};
    } catch {
      return {};
    }
  };
  // A page's first storage access takes longer than the rest of arming, so it happens here, where
  // there is time.
  read();
  const wait = (memory: Memory) => {
    save('localStorage', JSON.stringify({ ...read(), waitFrom: Date.now(), ...memory }));
    save('sessionStorage', '1');
  };

  return {
    mayShow({ frequencyDays = 30, maxShows = Infinity, decline }) {
      const { waitFrom = 0, shows = 0, declinedAt = 0 } = read();
      // A time in the future is from when the clock was wrong.
      const isWithin = (from: number, days: number) => Math.abs(Date.now() - from) < days * DAY_MS;
      return !(
        isWithin(declinedAt, decline?.suppressDays ?? 90) ||
        (frequencyDays ? isWithin(waitFrom, frequencyDays) : load('sessionStorage')) ||
        shows >= maxShows
      );
    },
    shown: () => wait({ shows: (read().shows ?? 0) + 1 }),
    beginWait: () => wait({}),
    declined: () => wait({ declinedAt: Date.now() }),
  };
}
