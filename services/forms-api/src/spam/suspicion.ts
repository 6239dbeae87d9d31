import { setBounded } from '@svcforms/primitives';
import type { IncomingHttpHeaders } from 'node:http';

const WINDOW_MS = 600_000;
/** Tokens that a network gets in this time before each needs a proof. */
const FREE_TOKENS = 10;
const MAX_NETWORKS = 10_000;

/** The mean work is half of this many hashes: a fraction of a second on a phone. */
const MAX_NUMBER = 50_000;
const MAX_FACTOR = 3;

export interface Demand {
  isProofRequired: boolean;
  /** The size of the proof of work. */
  maxNumber: number;
}

/** Decides what a client that asks for a token must prove. */
export type Suspect = (request: { network: string; headers: IncomingHttpHeaders; now: number }) => Demand;

/**
 * Counts the tokens of each network in the memory of this process. A network that gets many, such
 * as a script or an office, must prove work for each, and more work the more it gets.
 */
export function createSuspicion(): Suspect {
  const counts = new Map<string, { until: number; tokens: number }>();

  return function suspect({ network, headers, now }) {
    const known = counts.get(network);
    const count = known && known.until > now ? known : { until: now + WINDOW_MS, tokens: 0 };
    count.tokens++;
    setBounded(counts, network, count, MAX_NETWORKS);
    const factor = Math.min(MAX_FACTOR, Math.ceil(count.tokens / FREE_TOKENS));
    return {
      isProofRequired: factor > 1 || !looksLikeBrowser(headers),
      maxNumber: MAX_NUMBER * factor,
    };
  };
}

/**
 * What every browser says when a page fetches something. Older ones, and those without TLS, prove
 * work.
 */
function looksLikeBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    headers['user-agent']?.startsWith('Mozilla/') === true &&
    headers['accept-language'] !== undefined &&
    headers['sec-fetch-mode'] !== undefined
  );
}
