import type { Popup } from '../core/trigger.ts';

const DAY_MS = 86_400_000;

/** What this browser remembers of a visitor and one form; times in milliseconds since the epoch. */
interface Memory {
  /** When the wait between two showings last began. */
  waitFrom?: number;
  /** Openings that a trigger caused. */
  shows?: number;
  declinedAt?: number;
}

export interface VisitorRecord {
  /** spec: popup-forms, `frequencyDays`, `maxShows`, `decline.suppressDays`: the strictest counts. */
  mayShow: (popup: Popup) => boolean;
  /** A trigger opened it. */
  shown: () => void;
  /** It was closed without a word, or converted. */
  beginWait: () => void;
  declined: () => void;
}

/** This page's memory, where storage is blocked or full: newer than what that holds. */
const fallback: Record<string, string> = {};

type StorageName = 'localStorage' | 'sessionStorage';

export function createVisitorRecord(formId: string): VisitorRecord {
  const key = `svc:${formId}`;

  /** The getter of a storage may throw, too. */
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
      return (JSON.parse(load('localStorage') ?? '{}') as Memory | null) ?? {};
    } catch {
      return {};
    }
  };
  // The first look into a page's storage takes longer than the rest of arming; who makes this record has time now.
  read();
  const wait = (memory: Memory) => {
    save('localStorage', JSON.stringify({ ...read(), waitFrom: Date.now(), ...memory }));
    save('sessionStorage', '1');
  };

  return {
    mayShow({ frequencyDays = 30, maxShows = Infinity, decline }) {
      const { waitFrom = 0, shows = 0, declinedAt = 0 } = read();
      const isWithin = (from: number, days: number) => Date.now() - from < days * DAY_MS;
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
