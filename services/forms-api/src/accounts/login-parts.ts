import type { Collection, DocumentStore } from '@svcforms/document-store';
import { createOwners, createSessions, type AccountRecord, type UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { createEndCredentials } from './end-credentials.ts';
import { createDescribeMe, createOpenSession } from './open-session.ts';

export type LoginParts = ReturnType<typeof createLoginParts>;

/** What logins with a password and logins with the identity provider have in common. */
export function createLoginParts(deps: {
  store: DocumentStore;
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  /** The issuer URL of the identity provider; absent without one. */
  issuer: string | undefined;
  /** The public origin. */
  baseUrl: string;
  now: Clock;
}) {
  const sessions = createSessions(deps);
  const describeMe = createDescribeMe(deps);
  return {
    sessions,
    describeMe,
    openSession: createOpenSession({ ...deps, sessions, describeMe }),
    endCredentials: createEndCredentials({ ...deps, sessions }),
    letGo: createOwners(deps),
  };
}
