import { newId, type AuditAction, type AuditChanges } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { AUDIT_LOG, auditTarget, createAuditLog } from '@svcforms/http';

/** What an administration command changed, for the audit log of the account. */
interface CommandChange {
  accountId: string;
  action: AuditAction;
  target: { id: string; name: string };
  changes?: AuditChanges;
}

/** Adds the row of a command; its actor is `system`, because the shell doesn't say who the operator is. */
export async function auditCommand(
  { store, now }: { store: DocumentStore; now: () => number },
  { target, ...entry }: CommandChange,
): Promise<void> {
  const log = { error: (row: object) => void process.stderr.write(`${JSON.stringify(row)}\n`) };
  const auditLog = createAuditLog({ store, log, now });
  store.collection(AUDIT_LOG);
  await store.ensureIndexes();
  const actor = { type: 'system', id: null, name: 'admin command' } as const;
  await auditLog.add({ ...entry, actor, ip: null, target: auditTarget(entry.action, target) }, newId('aud'));
}
