import { newId, type AuditAction, type AuditChanges } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { AUDIT_LOG, auditTarget, createAuditLog } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';

/** The change of an admin command, for the audit log of the account. */
export interface CommandChange {
  accountId: string;
  action: AuditAction;
  target: { id: string; name: string };
  changes?: AuditChanges;
}

/**
 * Stores the audit row of a command. Its actor is `system`, because the shell doesn't identify the
 * operator.
 */
export async function auditCommand(
  { store, retentionDays, now }: { store: DocumentStore; retentionDays: number; now: Clock },
  { target, ...entry }: CommandChange,
): Promise<void> {
  const log = { error: (row: object) => void process.stderr.write(`${JSON.stringify(row)}\n`) };
  const auditLog = createAuditLog({ store, log, now, retentionDays });
  store.collection(AUDIT_LOG);
  await store.ensureIndexes();
  const actor = { type: 'system', id: null, name: 'admin command' } as const;
  await auditLog.add({ ...entry, actor, ip: null, target: auditTarget(entry.action, target) }, newId('aud'));
}
