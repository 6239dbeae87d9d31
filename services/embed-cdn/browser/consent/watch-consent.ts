import type { ConsentGiven, ConsentSource, ConsentWatch } from '../core/consent.ts';
import { readConsent } from './read-consent.ts';
import { isWithdrawn, withdraw } from './withdrawal.ts';

/** docs/reference/popups.md#tracking-consent */
const READ_EVERY_MS = 1000;

/**
 * Denied consent at the start only stops counting. Granted consent that becomes denied is a
 * withdrawal: it is final, even on later pages. Granted consent isn't remembered across pages,
 * because many banners report denied on every page until they have read the visitor's choice. ADR
 * 0036
 */
export function watchConsent(
  source: ConsentSource,
  { formId, isLive, onWithdrawn }: ConsentGiven,
): ConsentWatch {
  let isFinal = isWithdrawn(formId);
  let saidYes = false;
  let timer: number | undefined;

  const mayCount = () => {
    if (isFinal) return false;
    const state = readConsent(source);
    saidYes ||= state === true;
    // Another form or tab of this visitor may have seen the withdrawal first.
    isFinal = (saidYes && state === false) || isWithdrawn(formId);
    if (isFinal) {
      withdraw();
      onWithdrawn();
    }
    return !isFinal && state !== false;
  };
  const follow = () => {
    clearTimeout(timer);
    if (isFinal || !isLive()) return;
    timer = setTimeout(() => {
      mayCount();
      follow();
    }, READ_EVERY_MS);
  };
  return { mayCount, follow };
}
