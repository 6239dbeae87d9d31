/**
 * How many attempts may be under way at once in this process. The last quarter of an account's places, and of all, is kept for
 * webhooks that have none: many that hang leave something to those that don't.
 */
export interface PlaceLimits {
  /** To begin with: fewer while the listener fails, up to four times as many while it keeps up with a backlog. */
  perWebhook: number;
  perAccount: number;
  global: number;
}

/** Whose places: a webhook's, of an account. */
export interface PlaceOwner {
  webhookId: string;
  accountId: string;
}

/**
 * The right to hold one delivery in memory: with a place (it may be attempted at once), or ahead of one (it gets the next place
 * that comes free, without another look into the store).
 */
export interface Slot {
  readonly lane: object;
}

/**
 * Why a slot comes back: it wasn't needed, or how the attempt ended. A success allows the webhook one more attempt at once, a
 * failure half as many. `pauseUntil`: it failed, and nothing more may start there before that time (milliseconds since the
 * epoch) and the next `resume`.
 */
export type Release = 'unused' | 'success' | 'failure' | 'webhook_gone' | { pauseUntil: number };

export type Work<T> =
  | { kind: 'run'; item: T; slot: Slot }
  /** The store holds waiting deliveries of this webhook, and there is room for some: fetch them, then call `refilled`. */
  | ({ kind: 'refill' } & PlaceOwner);

export interface Places<T> {
  /**
   * A slot for a delivery, or `null`: it has to wait in the store. What has just become due doesn't overtake what waits there.
   * `bytes`: about how much memory it takes, where that is known.
   */
  reserve(owner: PlaceOwner, origin: 'due' | 'waiting', bytes?: number): Slot | null;
  /** Puts the delivery into its slot. */
  fill(slot: Slot, item: T, bytes: number): void;
  /** What to do next, in turn between accounts, and between the webhooks of an account. Slots of `run` have a place. */
  next(): Work<T> | undefined;
  /** Gives a slot back. */
  release(slot: Slot, release: Release): void;
  /** The store holds waiting deliveries of this webhook. Call it after they are stored. */
  markWaiting(owner: PlaceOwner): void;
  /** A refill has ended; `more`: it didn't find everything that waits. */
  refilled(owner: PlaceOwner, more: boolean): void;
  /** Lets webhooks go on whose pause is over, and those whose pause was `lifted` before. Milliseconds since the epoch. */
  resume(now: number, lifted?: readonly string[]): void;
  /** Takes back what is held ahead of a place beyond what the webhook's present limit justifies. */
  takeExcess(): T[];
  /** Takes back everything that has not been started. */
  takeAll(): T[];
}

interface Lane<T> extends PlaceOwner {
  account: Account<T>;
  /** How many attempts at once its listener is trusted with at present. */
  limit: number;
  /** How many deliveries may be held ahead at present: as many as it is likely to get through soon. */
  maxAhead: number;
  inPlace: number;
  /** Slots without a place: reserved, or in `queue`. */
  ahead: number;
  queue: Entry<T>[];
  waiting: boolean;
  refilling: boolean;
  paused: boolean;
  /** What one delivery took lately: the guess for those that are still to be fetched. */
  usualBytes: number;
}

interface Account<T> {
  inPlace: number;
  ahead: number;
  lanes: number;
  /** Lanes that could do something now. First in, first out. */
  ready: Set<Lane<T>>;
  /** Those of them that have no place at all. */
  hungry: Set<Lane<T>>;
}

interface HeldSlot<T> extends Slot {
  readonly lane: Lane<T>;
  hasPlace: boolean;
  bytes: number;
}

interface Entry<T> {
  item: T;
  slot: HeldSlot<T>;
}

const GROWTH = 4;
/** The part that is kept for webhooks without a place. */
const KEPT = 1 / 4;
/**
 * How many deliveries a webhook may hold ahead: to begin with, for each place; at least, when it fails; at most, for each place,
 * when it gets through them. What is held has to be leased again and again, so it should be little where nothing moves.
 */
const AHEAD_PER_PLACE = 16;
const LEAST_AHEAD = 16;
const MOST_AHEAD_PER_PLACE = 64;
/** … and all webhooks together, for each place of the process; an account gets a quarter of it. */
const AHEAD_IN_ALL_PER_PLACE = 16;
/** Above this much in memory nothing more is held ahead. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The guess for a webhook that nothing is known about. */
const UNKNOWN_BYTES = 64 * 1024;

/**
 * The places of this process: per webhook (fewer when its listener fails), per account, and in all. A pure data structure: what
 * waits in the store, and who fetches it, is the caller's.
 */
export function createPlaces<T>(limits: PlaceLimits): Places<T> {
  const lanes = new Map<string, Lane<T>>();
  const accounts = new Map<string, Account<T>>();
  /** Accounts with a lane that may do something, and with a lane that may because it has no place. First in, first out. */
  const readyAccounts = new Set<Account<T>>();
  const hungryAccounts = new Set<Account<T>>();
  let isHungrysTurn = false;
  const common = {
    perAccount: limits.perAccount - Math.floor(limits.perAccount * KEPT),
    global: limits.global - Math.floor(limits.global * KEPT),
  };
  const pausedUntil = new Map<Lane<T>, number>();
  /** Filled slots with a place, on their way to `next`. */
  let placed: Entry<T>[] = [];
  let inPlace = 0;
  let ahead = 0;
  let bytes = 0;
  const maxAhead = limits.global * AHEAD_IN_ALL_PER_PLACE;

  function laneOf({ webhookId, accountId }: PlaceOwner): Lane<T> {
    const known = lanes.get(webhookId);
    if (known) return known;
    let account = accounts.get(accountId);
    if (!account)
      accounts.set(
        accountId,
        (account = { inPlace: 0, ahead: 0, lanes: 0, ready: new Set(), hungry: new Set() }),
      );
    account.lanes++;
    const lane: Lane<T> = {
      webhookId,
      accountId,
      account,
      limit: limits.perWebhook,
      maxAhead: limits.perWebhook * AHEAD_PER_PLACE,
      inPlace: 0,
      ahead: 0,
      queue: [],
      waiting: false,
      refilling: false,
      paused: false,
      usualBytes: UNKNOWN_BYTES,
    };
    lanes.set(webhookId, lane);
    return lane;
  }

  const mayRun = (lane: Lane<T>) => lane.inPlace < lane.limit && !lane.paused;
  const isLeftFor = (lane: Lane<T>) => {
    const most = lane.inPlace === 0 ? limits : common;
    return lane.account.inPlace < most.perAccount && inPlace < most.global;
  };
  const mayGoAhead = (lane: Lane<T>) =>
    lane.ahead < lane.maxAhead &&
    lane.account.ahead < maxAhead / 4 &&
    ahead < maxAhead &&
    bytes < MAX_BYTES &&
    !lane.paused;
  const needsRefill = (lane: Lane<T>) =>
    lane.waiting &&
    !lane.refilling &&
    lane.ahead <= lane.maxAhead / 2 &&
    ((lane.ahead === 0 && mayRun(lane)) || mayGoAhead(lane));

  /** Call after every change of a lane: the only place where it becomes ready, stops being so, or is dropped. */
  function settle(lane: Lane<T>): void {
    const { account } = lane;
    const isReady = (lane.queue.length > 0 && mayRun(lane)) || needsRefill(lane);
    keepIn(account.ready, lane, isReady);
    keepIn(account.hungry, lane, isReady && lane.inPlace === 0);
    keepIn(readyAccounts, account, account.ready.size > 0 && account.inPlace < common.perAccount);
    keepIn(hungryAccounts, account, account.hungry.size > 0 && account.inPlace < limits.perAccount);
    const isIdle = lane.inPlace === 0 && lane.ahead === 0 && !lane.waiting && !lane.refilling && !lane.paused;
    // A lane that has learned a lower limit stays, so that the lesson isn't forgotten between two deliveries.
    if (isIdle && lane.limit >= limits.perWebhook && lanes.delete(lane.webhookId) && --account.lanes === 0)
      accounts.delete(lane.accountId);
  }

  function addPlaces(lane: Lane<T>, n: 1 | -1): void {
    lane.inPlace += n;
    lane.account.inPlace += n;
    inPlace += n;
  }

  function addAhead(lane: Lane<T>, n: 1 | -1): void {
    lane.ahead += n;
    lane.account.ahead += n;
    ahead += n;
  }

  function free(slot: HeldSlot<T>): void {
    if (slot.hasPlace) addPlaces(slot.lane, -1);
    else addAhead(slot.lane, -1);
    bytes -= slot.bytes;
  }

  /** In turn between accounts, and between lanes that have no place and all; it goes to the end of the lines that it stood in. */
  function nextLane(): Lane<T> | undefined {
    const ready = inPlace < common.global ? firstOf(readyAccounts, 'ready') : undefined;
    const hungry = inPlace < limits.global ? firstOf(hungryAccounts, 'hungry') : undefined;
    isHungrysTurn = !isHungrysTurn;
    const lane = isHungrysTurn ? (hungry ?? ready) : (ready ?? hungry);
    if (!lane) return undefined;
    for (const accountsInLine of [readyAccounts, hungryAccounts]) accountsInLine.delete(lane.account);
    for (const lanesInLine of [lane.account.ready, lane.account.hungry]) lanesInLine.delete(lane);
    return lane;
  }

  function takeBack(entries: Entry<T>[]): T[] {
    for (const { slot } of entries) {
      free(slot);
      settle(slot.lane);
    }
    return entries.map(({ item }) => item);
  }

  return {
    reserve(owner, origin, size) {
      const lane = laneOf(owner);
      const overtakes = origin === 'due' && (lane.waiting || lane.refilling);
      const hasPlace = lane.ahead === 0 && mayRun(lane) && isLeftFor(lane);
      let slot: HeldSlot<T> | null = null;
      if (!overtakes && (hasPlace || mayGoAhead(lane))) {
        slot = { lane, hasPlace, bytes: size ?? lane.usualBytes };
        bytes += slot.bytes;
        if (hasPlace) addPlaces(lane, 1);
        else addAhead(lane, 1);
      }
      settle(lane);
      return slot;
    },

    fill(given, item, size) {
      const slot = given as HeldSlot<T>;
      bytes += size - slot.bytes;
      slot.bytes = size;
      slot.lane.usualBytes = size;
      (slot.hasPlace ? placed : slot.lane.queue).push({ item, slot });
      settle(slot.lane);
    },

    next() {
      const first = placed.shift();
      if (first) return { kind: 'run', ...first };
      const lane = nextLane();
      if (!lane) return undefined;
      if (needsRefill(lane)) {
        lane.refilling = true;
        lane.waiting = false;
        settle(lane);
        return { kind: 'refill', webhookId: lane.webhookId, accountId: lane.accountId };
      }
      const entry = lane.queue.shift();
      if (!entry) throw new Error(`the lane of ${lane.webhookId} was ready with nothing to do`);
      entry.slot.hasPlace = true;
      addAhead(lane, -1);
      addPlaces(lane, 1);
      settle(lane);
      return { kind: 'run', ...entry };
    },

    release(given, release) {
      const slot = given as HeldSlot<T>;
      const { lane } = slot;
      const isFull = lane.inPlace >= lane.limit;
      free(slot);
      if (release === 'success') {
        const most = isFull ? limits.perWebhook * GROWTH : Math.max(lane.limit, limits.perWebhook);
        lane.limit = Math.min(most, lane.limit + 1);
        lane.maxAhead = Math.min(limits.perWebhook * MOST_AHEAD_PER_PLACE, lane.maxAhead + 1);
      } else if (release === 'webhook_gone') {
        lane.limit = limits.perWebhook;
      } else if (release !== 'unused') {
        lane.limit = Math.max(1, Math.floor(lane.limit / 2));
        lane.maxAhead = Math.max(LEAST_AHEAD, Math.floor(lane.maxAhead / 2));
      }
      if (typeof release === 'object') {
        lane.paused = true;
        pausedUntil.set(lane, Math.max(release.pauseUntil, pausedUntil.get(lane) ?? 0));
      }
      settle(lane);
    },

    markWaiting(owner) {
      const lane = laneOf(owner);
      lane.waiting = true;
      settle(lane);
    },

    refilled(owner, more) {
      const lane = laneOf(owner);
      lane.refilling = false;
      lane.waiting ||= more;
      settle(lane);
    },

    resume(now, lifted = []) {
      for (const [lane, until] of pausedUntil) {
        if (until > now && !lifted.includes(lane.webhookId)) continue;
        pausedUntil.delete(lane);
        lane.paused = false;
        settle(lane);
      }
    },

    takeExcess() {
      const excess: Entry<T>[] = [];
      for (const lane of lanes.values()) {
        if (lane.queue.length > lane.maxAhead) excess.push(...lane.queue.splice(lane.maxAhead));
      }
      return takeBack(excess);
    },

    takeAll() {
      const all = [...placed, ...[...lanes.values()].flatMap((lane) => lane.queue)];
      placed = [];
      for (const lane of lanes.values()) lane.queue = [];
      return takeBack(all);
    },
  };
}

/** Where it isn't in yet, it comes last. */
function keepIn<T>(set: Set<T>, member: T, isIn: boolean): void {
  if (isIn) set.add(member);
  else set.delete(member);
}

function firstOf<T>(accounts: ReadonlySet<Account<T>>, line: 'ready' | 'hungry'): Lane<T> | undefined {
  const [account] = accounts;
  const [lane] = account?.[line] ?? [];
  return lane;
}
