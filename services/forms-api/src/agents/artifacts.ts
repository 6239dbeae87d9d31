import type { Collection } from '@svcforms/document-store';
import type { OAuthArtifactRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { hashToken } from '@svcforms/signing';

/** A request that waits for the user, as the authorization server stores it. */
export interface StoredRequest {
  /** The parameters of the authorization request. */
  params: { client_id: string; redirect_uri: string; scope?: string; resource?: string | string[] };
  /** Where the browser continues after the user has decided. */
  returnTo: string;
  /** Seconds since the epoch. */
  exp: number;
}

/** What the user decided, in the form of oidc-provider's `interactionFinished`. */
export type RequestResult =
  | { error: 'access_denied'; error_description: string }
  | { login: { accountId: string; remember: false }; consent: { grantId: string } };

/** The `_id` of what is stored under a code, token or id. */
export const artifactId = (kind: string, id: string): string => hashToken(`${kind}:${id}`);

/** The user of an authorization, as the authorization server names it. */
export const subjectOf = (accountId: string, userId: string): string => `${accountId}/${userId}`;
/** Splits a subject. */
export function readSubject(subject: string): { accountId: string; userId: string } {
  const [accountId = '', userId = ''] = subject.split('/');
  return { accountId, userId };
}

/**
 * The requests that wait for a user. The authorization server creates them and reads the results.
 */
export function createRequests(deps: {
  artifacts: Pick<Collection<OAuthArtifactRecord>, 'findOne' | 'updateOne'>;
  now: Clock;
}) {
  const { artifacts, now } = deps;
  const idOf = (uid: string) => artifactId('Interaction', uid);

  return {
    /** Returns an undecided request that hasn't expired, or `null`. */
    async find(uid: string): Promise<StoredRequest | null> {
      const found = await artifacts.findOne({ _id: idOf(uid), consumedAt: null });
      if (!found || found.expireAt <= isoTime(now())) return null;
      return JSON.parse(found.payload) as StoredRequest;
    },

    /** Stores the result of a request. Of several concurrent calls, one returns true. */
    async decide(uid: string, request: StoredRequest, result: RequestResult): Promise<boolean> {
      const consumedAt = isoTime(now());
      return artifacts.updateOne(
        { _id: idOf(uid), consumedAt: null },
        { $set: { payload: JSON.stringify({ ...request, result }), consumedAt } },
      );
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;
