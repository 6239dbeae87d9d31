import { AppError, type Scope } from '@svcforms/contracts';
import type { Caller, FormAccess } from '@svcforms/identity';
import type { Actor } from './actor.ts';

/**
 * Returns the actor with the forms that it may see now. @throws AppError `UNAUTHORIZED` if it may
 * no longer read tasks: its key was deleted, its agent disconnected, or its session ended
 */
export type ReaderNow = (actor: Actor) => Promise<Actor>;

/** For requests that wait: the rights of their caller may end before they do. */
export function createReaderNow(deps: {
  /** See `createCallerCheck`. */
  mayStill: (caller: Caller, scope: Scope) => Promise<boolean>;
  access: Pick<FormAccess, 'limit'>;
}): ReaderNow {
  return async function readerNow(actor) {
    const { memberOf: _before, ...others } = actor;
    if (!actor.caller) return actor;
    if (!(await deps.mayStill(actor.caller, 'tasks:read')))
      throw new AppError('UNAUTHORIZED', 'Your access ended during the wait', {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    const { memberOf } = await deps.access.limit(actor.caller);
    return { ...others, ...(memberOf !== undefined && { memberOf }) };
  };
}
