import type { ProofChallenge } from '@svcforms/contracts';
import { firstWordOf, sha256 } from './sha-256.ts';

/** The page stays responsive between slices of this time. */
const SLICE_MS = 12;

/**
 * Finds the number of a challenge and returns the proof. Runs on the page's thread: a worker would
 * need permission in the page's policy.
 */
export async function solve({ maxnumber, ...challenge }: ProofChallenge): Promise<string> {
  const { salt } = challenge;
  const wanted = firstWordOf(challenge.challenge);
  let sliceEnd = performance.now() + SLICE_MS;
  for (let number = 0; number <= maxnumber; number++) {
    if (sha256(salt + number)[0] === wanted && hexOf(sha256(salt + number)) === challenge.challenge) {
      return btoa(JSON.stringify({ ...challenge, number }));
    }
    if (number % 256 === 0 && performance.now() > sliceEnd) {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  throw new Error('the challenge has no solution');
}

const hexOf = (words: Int32Array): string =>
  [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

/** Unlike timers, messages aren't delayed in the background. */
const nextTurn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
