import type { DocumentStore } from '@svcforms/document-store';
import {
  AGENTS,
  RECOVERY_CODES,
  type AgentRecord,
  type RecoveryCodeRecord,
  type Sessions,
} from '@svcforms/identity';

interface EndCredentialsDeps {
  store: Pick<DocumentStore, 'collection'>;
  sessions: Pick<Sessions, 'endAll'>;
}

export type EndCredentials = ReturnType<typeof createEndCredentials>;

/**
 * Deletes every credential of a user that isn't part of the user's document: sessions, the access
 * of agents, and recovery codes. Change or delete the document first: otherwise a login in between
 * could create a new one.
 */
export function createEndCredentials({ store, sessions }: EndCredentialsDeps) {
  const agents = store.collection<AgentRecord>(AGENTS);
  const recoveryCodes = store.collection<RecoveryCodeRecord>(RECOVERY_CODES);

  return async function endCredentials(userId: string): Promise<void> {
    await Promise.all([
      sessions.endAll(userId),
      agents.deleteMany({ userId }),
      recoveryCodes.deleteMany({ userId }),
    ]);
  };
}
