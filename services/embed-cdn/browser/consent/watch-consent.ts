import type { ConsentGiven, ConsentSource, ConsentWatch } from '../core/consent.ts';
import { readConsent } from './read-consent.ts';
import { isWithdrawn, withdraw } from './withdrawal.ts';

/** spec: popup-forms, Consent rules 4 */
const READ_EVERY_MS = 1000;

/**
 * A no at the start, or a first answer that is no, only stops counting; a yes turned into a no is a withdrawal, which is
 * final, also on later pages. A yes on an earlier page is not remembered: many banners begin each page with a no, until
 * they have read what the visitor chose. docs/adr/0036
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
    const answer = readConsent(source);
    saidYes ||= answer === true;
    // Another form or tab of this visitor may have seen the withdrawal first.
    isFinal = (saidYes && answer === false) || isWithdrawn(formId);
    if (isFinal) {
      withdraw();
      onWithdrawn();
    }
    return !isFinal && answer !== false;
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
