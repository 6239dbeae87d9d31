import type { AuditAction, AuditChanges, AuditEntryOut, IdPrefix } from '@svcforms/contracts';
import {
  isDuplicateKey,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import type { Caller, UserRecord } from '@svcforms/identity';
import { DAY_MS, derivedId, isoTime, type Clock, type Logger } from '@svcforms/primitives';

/** Thirteen months, so that a yearly audit finds the whole year. */
const AUDIT_RETENTION_DAYS = 400;

export type AuditActor = AuditEntryOut['actor'];
export type AuditTarget = AuditEntryOut['target'];

/** A stored row of the audit log. */
export interface AuditRecord extends StoredDocument {
  accountId: string;
  createdAt: string;
  actor: AuditActor;
  ip: string | null;
  action: AuditAction;
  target: AuditTarget;
  /** JSON text, because users choose some property names. */
  changes: string;
  expireAt: string;
}

export const AUDIT_LOG: CollectionSpec<AuditRecord> = {
  name: 'audit_log',
  indexes: [
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['accountId', 'target.id', '-createdAt', '-_id'] },
  ],
  expireAt: 'expireAt',
};

/** What a handler adds to the audit action of its route. */
export interface AuditDetails {
  /** Replaces the action of the route. */
  action?: AuditAction;
  /**
   * Overrides the defaults: the noun of the action, and the `id` and `name` of the reply or the id
   * in the path.
   */
  target?: Partial<AuditTarget>;
  /** Without secrets and submitted values; see `changesBetween`. */
  changes?: AuditChanges;
  /** On public routes, which have no caller. */
  actor?: AuditActor;
  accountId?: string;
}

export interface AuditEntry {
  accountId: string;
  actor: AuditActor;
  ip: string | null;
  action: AuditAction;
  target: AuditTarget;
  changes?: AuditChanges | undefined;
}

export interface AuditLog {
  /**
   * Stores a row, unless one with this id exists, so that a request that is repeated after a crash
   * adds no second row. Rejects with the store's error and logs the row then.
   */
  add(entry: AuditEntry, id: string): Promise<void>;
}

/** The only writer of the audit log. Nothing else changes or deletes rows; they expire. */
export function createAuditLog(deps: {
  store: DocumentStore;
  log: Pick<Logger, 'error'>;
  now?: Clock;
  retentionDays?: number | undefined;
}): AuditLog {
  const { store, log, now = Date.now, retentionDays = AUDIT_RETENTION_DAYS } = deps;
  const rows = store.collection<AuditRecord>(AUDIT_LOG);
  return {
    async add({ changes = {}, ...entry }, id) {
      const at = now();
      const row: AuditRecord = {
        _id: id,
        ...entry,
        changes: JSON.stringify(changes),
        createdAt: isoTime(at),
        expireAt: isoTime(at + retentionDays * DAY_MS),
      };
      try {
        await rows.insertOne(row);
      } catch (error) {
        if (isDuplicateKey(error)) return;
        log.error({ event: 'audit.not_stored', err: error, row }, 'storing a row of the audit log failed');
        throw error;
      }
    },
  };
}

/** The caller as an actor of the audit log. */
export function auditActor({ id, name, session, agentOf }: Caller): AuditActor {
  const other = agentOf === undefined ? 'key' : 'agent';
  return { type: session ? 'user' : other, id, name: name ?? null };
}

/** A user as an actor or target of the audit log. */
export const auditUser = ({ _id, name }: Pick<UserRecord, '_id' | 'name'>) =>
  ({ type: 'user', id: _id, name }) as const;

/** A target of the audit log. Its type is the noun of the action. */
export function auditTarget(action: AuditAction, target: Partial<AuditTarget>): AuditTarget {
  const type = action.slice(0, action.indexOf('.'));
  return { type, id: null, name: null, ...target };
}

export const AUDIT_PREFIX: IdPrefix = 'aud';

/** The deletions that several requests at the same time carry out together. */
const SHARED_DELETIONS = /^(form|webhook|submission|task)\.deleted$/;

/**
 * The id of the row about a deletion: of several requests that delete the same target at the same
 * time, the first adds the row. `undefined` for other actions, of which one request succeeds.
 */
export function auditRowId({ action, target: { id } }: AuditEntry): string | undefined {
  if (id === null || !SHARED_DELETIONS.test(action)) return undefined;
  return derivedId(AUDIT_PREFIX, id.slice(4, 14), `${action}|${id}`);
}
