import { AppError } from '@svcforms/contracts';
import { missingRights, type Caller, type Rights } from '@svcforms/identity';

/**
 * Callers can't grant, change or revoke rights that they don't have.
 * @param what the subject of the message: "A user who is admin"
 * @throws AppError `INSUFFICIENT_SCOPE` that names the first missing scope, or `owner`
 */
export function checkRights(caller: Caller, own: Rights, target: Rights, what: string): void {
  const missing = missingRights(own, target);
  const [first] = missing;
  if (first === undefined) return;
  const who = caller.session ? `your role ${caller.session.role}` : 'your API key';
  throw new AppError('INSUFFICIENT_SCOPE', `${what} has rights that ${who} lacks: ${missing.join(', ')}`, {
    members: { requiredScope: first },
  });
}
