import type { AuditAction, AuditChanges, AuditEntryOut, IdPrefix } from '@svcforms/contracts';
import {
  isDuplicateKey,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import type { Caller } from '@svcforms/identity';
import type { Logger } from '@svcforms/primitives';

const DAY_MS = 24 * 3600 * 1000;
/** Thirteen months: an audit of a year finds all of it. */
export const AUDIT_RETENTION_DAYS = 400;

export type AuditActor = AuditEntryOut['actor'];
export type AuditTarget = AuditEntryOut['target'];

/** A row of the audit log as it is stored. */
export interface AuditRecord extends StoredDocument {
  accountId: string;
  createdAt: string;
  actor: AuditActor;
  ip: string | null;
  action: AuditAction;
  target: AuditTarget;
  /** JSON text: the names of properties can be a user's. */
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

/** What a handler knows about a change beyond what its row of the route table says. */
export interface AuditDetails {
  /** Instead of the route's. */
  action?: AuditAction;
  /** Merged over the defaults: the noun of the action, and the `id` and `name` of the reply or the id in the path. */
  target?: Partial<AuditTarget>;
  /** Without secrets and submitted values; see `changesBetween`. */
  changes?: AuditChanges;
  /** On public routes, where there is no caller. */
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
   * Adds a row; with an id that is there already it does nothing, so a request that is taken over after a crash adds no
   * second one. Rejects with the store's error; then the row is in the process's log.
   */
  add(entry: AuditEntry, id: string): Promise<void>;
}

/** The one writer of the audit log. Nothing else in the product changes or deletes rows; they expire. */
export function createAuditLog(deps: {
  store: DocumentStore;
  log: Pick<Logger, 'error'>;
  now?: () => number;
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
        createdAt: new Date(at).toISOString(),
        expireAt: new Date(at + retentionDays * DAY_MS).toISOString(),
      };
      try {
        await rows.insertOne(row);
      } catch (error) {
        if (isDuplicateKey(error)) return;
        log.error(
          { event: 'audit.not_stored', err: error, row },
          'a row of the audit log could not be stored',
        );
        throw error;
      }
    },
  };
}

/** The caller as the audit log names it. */
export function auditActor({ id, name, session }: Caller): AuditActor {
  return { type: session ? 'user' : 'key', id, name: name ?? null };
}

/** An audit target of the action: the noun is its type. */
export function auditTarget(action: AuditAction, target: Partial<AuditTarget>): AuditTarget {
  const type = action.slice(0, action.indexOf('.'));
  return { type, id: null, name: null, ...target };
}

export const AUDIT_PREFIX: IdPrefix = 'aud';
