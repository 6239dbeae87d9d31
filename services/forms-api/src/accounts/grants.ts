import { AppError } from '@svcforms/contracts';
import { missingRights, type Caller, type Rights } from '@svcforms/identity';

/**
 * Nobody gives away, changes or takes away rights that they lack. `what` is said in the message: "A user who is admin".
 * @throws AppError `INSUFFICIENT_SCOPE` that names the first scope that is missing, or `owner`.
 */
export function checkRights(caller: Caller, own: Rights, target: Rights, what: string): void {
  const missing = missingRights(own, target);
  const [first] = missing;
  if (first === undefined) return;
  const who = caller.session ? `your role ${caller.session.role}` : 'your API key';
  throw new AppError('INSUFFICIENT_SCOPE', `${what} may do what ${who} may not: ${missing.join(', ')}`, {
    members: { requiredScope: first },
  });
}
