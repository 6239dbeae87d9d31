import type { TaskAction } from '@svcforms/contracts';
import { canonicalize } from 'json-canonicalize';
import { createHash } from 'node:crypto';

/** An action as canonical JSON (RFC 8785), which is the same however its members were ordered. */
export const canonicalAction = ({ tool, args }: TaskAction): string => canonicalize({ tool, args });

/** The digest of a canonical action. docs/reference/tasks.md#action-digest */
export function digestOfAction(canonical: string): string {
  return `sha-256:${createHash('sha256').update(canonical).digest('base64url')}`;
}
