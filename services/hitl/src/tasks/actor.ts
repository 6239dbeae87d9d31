import { hasScope, type Caller } from '@svcforms/identity';

/** Who acts on tasks, over whatever door. */
export interface Actor {
  accountId: string;
  /** Id of the API key or the user. */
  by: string;
  /** Has the scope `tasks:decide`. */
  mayDecide: boolean;
  requestId: string;
}

export function actorOf(caller: Caller, requestId: string): Actor {
  return {
    accountId: caller.accountId,
    by: caller.id,
    mayDecide: hasScope(caller, 'tasks:decide'),
    requestId,
  };
}
