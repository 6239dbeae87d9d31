import { validationFailed, type TaskHistoryOut } from '@svcforms/contracts';
import { readTaskLink } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Actor } from './actor.ts';

/** How a decision reached us, for the history. */
export interface Evidence extends Required<Pick<TaskHistoryOut, 'channel' | 'proof'>> {
  /** The id of the link in an email that was used. */
  linkId?: string;
}

/**
 * Returns the evidence of a decision. @throws AppError `VALIDATION_FAILED` for a link that doesn't
 * count
 */
export type FindEvidence = (
  actor: Pick<Actor, 'by' | 'hasSession' | 'isInSlack'>,
  task: Pick<TaskRecord, '_id' | 'usedLinks'>,
  mailLink: string | undefined,
) => Evidence;

/**
 * A link in an email adds proof to the login of the user whom it was sent to. Alone, or with
 * another login or a key, it is worth nothing, so a forwarded email decides nothing. ADR 0089
 */
export function createEvidence(deps: { secretBox: Pick<SecretBox, 'open'>; now: Clock }): FindEvidence {
  return function findEvidence({ by, hasSession, isInSlack }, { _id, usedLinks = [] }, mailLink) {
    if (isInSlack) return { channel: 'slack', proof: 'slack_user' };
    if (mailLink === undefined) {
      return hasSession ? { channel: 'dashboard', proof: 'session' } : { channel: 'api', proof: 'api_key' };
    }
    const link = readTaskLink(deps.secretBox, _id, mailLink);
    if (!link) throw refused('is not a link to this task');
    if (!hasSession || link.userId !== by) throw refused('is for another user; log in as that user');
    if (link.expiresAt <= isoTime(deps.now())) throw refused('has expired; decide without it');
    if (usedLinks.includes(link.id)) throw refused('was already used; decide without it');
    return { channel: 'mail', proof: 'mail_link', linkId: link.id };
  };
}

const refused = (message: string) => validationFailed([{ pointer: '/mailLink', message }]);
