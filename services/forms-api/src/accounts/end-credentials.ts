import type { Collection } from '@svcforms/document-store';
import type { AgentRecord, RecoveryCodeRecord, Sessions } from '@svcforms/identity';

export interface EndCredentialsDeps {
  sessions: Pick<Sessions, 'endAll'>;
  agents: Pick<Collection<AgentRecord>, 'deleteMany'>;
  recoveryCodes: Pick<Collection<RecoveryCodeRecord>, 'deleteMany'>;
}

/**
 * Deletes every credential of a user that isn't part of the user's document: sessions, the access of
 * agents, and recovery codes. Change or delete the document first: otherwise a login in between could
 * create a new one.
 */
export function createEndCredentials({ sessions, agents, recoveryCodes }: EndCredentialsDeps) {
  return async function endCredentials(userId: string): Promise<void> {
    await Promise.all([
      sessions.endAll(userId),
      agents.deleteMany({ userId }),
      recoveryCodes.deleteMany({ userId }),
    ]);
  };
}
