import { AppError, type Scope } from '@svcforms/contracts';
import { missingScopes, type Caller } from '@svcforms/identity';

/** Nobody gives away what they lack. @throws AppError `INSUFFICIENT_SCOPE` that names it. contract: api.md §2 */
export function checkGrant(caller: Caller, scopes: readonly Scope[], what: string): void {
  const missing = missingScopes(caller, scopes);
  const [first] = missing;
  if (first === undefined) return;
  const who = caller.session ? `your role ${caller.session.role}` : 'your API key';
  throw new AppError('INSUFFICIENT_SCOPE', `${what} would get what ${who} lacks: ${missing.join(', ')}`, {
    members: { requiredScope: first },
  });
}
