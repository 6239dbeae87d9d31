import type { BusEvent } from '@svcforms/contracts';
import { isForbidden } from './errors.ts';
import type { Link } from './link.ts';
import { STREAM } from './stream.ts';

/**
 * A pair is a message with two events of one document, whose bodies are nearly the same. Consumers
 * read pairs under a durable name of their own, because a process of an older version would read
 * only the first event of one and acknowledge it. ADR 0049
 */
const PAIRS_SUFFIX = '-pairs';
const RECHECK_MS = 5_000;

/** The durable name under which the consumers of `durable` read pairs. */
export const pairsNameOf = (durable: string): string => `${durable}${PAIRS_SUFFIX}`;

/** How the second event of a pair differs from the first. */
interface Difference {
  /** The fields of the event that differ, without the body. */
  meta: Partial<BusEvent>;
  /** The start of the body. The rest is that of the first body from `from` on, in UTF-16 units. */
  head: string;
  from: number;
}

/** `null` if the two events aren't a pair: too little of their bodies is the same. */
export function differenceOf(first: BusEvent, second: BusEvent): Difference | null {
  const { body: firstBody, ...firstMeta } = first;
  const { body: secondBody, ...secondMeta } = second;
  const keys = Object.keys(firstMeta) as (keyof typeof firstMeta)[];
  const isSameShape =
    keys.length === Object.keys(secondMeta).length && keys.every((key) => key in secondMeta);
  if (firstBody === null || secondBody === null || !isSameShape) return null;
  if (first.accountId !== second.accountId || first.quiet !== second.quiet) return null;
  const same = commonEnd(firstBody, secondBody);
  if (same * 2 < secondBody.length) return null;
  const meta = Object.fromEntries(
    Object.entries(secondMeta).filter(([key, value]) => firstMeta[key as keyof typeof firstMeta] !== value),
  );
  return { meta, head: secondBody.slice(0, secondBody.length - same), from: firstBody.length - same };
}

/** The second event of a pair. */
export function secondOf(first: BusEvent, { meta, head, from }: Difference): BusEvent {
  return { ...first, ...meta, body: head + (first.body ?? '').slice(from) };
}

/** The number of UTF-16 units at the end of both texts that are the same. */
function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same))
    same += 1;
  // A surrogate pair stays whole: the header has the start of the body as UTF-8.
  const first = one.charCodeAt(one.length - same);
  return first >= 0xdc00 && first <= 0xdfff ? same - 1 : same;
}

/**
 * Creates a function that returns whether every durable name reads pairs. It refreshes the cached
 * result in the background. Without one, it waits rather than guesses: the server recognizes a
 * repeated pair only as a pair, so all processes have to publish the same events in the same way.
 * @throws EventBusError `UNAVAILABLE`, or the error of the server, while there is no result
 */
export function createPairsCheck(link: Link): () => Promise<boolean> {
  let known: { epoch: string; areRead: boolean; readAt: number } | undefined;
  let reading: Promise<boolean> | undefined;

  async function read(epoch: string): Promise<boolean> {
    const areRead = await link.whileUp(() => haveAllPairsReaders(link));
    known = { epoch, areRead, readAt: performance.now() };
    return areRead;
  }

  function readOnce(epoch: string): Promise<boolean> {
    reading ??= read(epoch).finally(() => (reading = undefined));
    return reading;
  }

  return async () => {
    const { epoch } = link.needSession();
    if (known?.epoch !== epoch) return readOnce(epoch);
    // Publishing reports what is wrong with the connection; until then, the last response holds.
    if (performance.now() - known.readAt > RECHECK_MS) readOnce(epoch).catch(() => {});
    return known.areRead;
  };
}

/** A user without the permission to list consumers never publishes pairs. */
async function haveAllPairsReaders({ jsm }: Link): Promise<boolean> {
  const names = new Set<string>();
  try {
    for await (const { config } of jsm.consumers.list(STREAM))
      if (config.durable_name) names.add(config.durable_name);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
  const readers = [...names].filter((name) => !name.endsWith(PAIRS_SUFFIX));
  return readers.length > 0 && readers.every((name) => names.has(pairsNameOf(name)));
}
