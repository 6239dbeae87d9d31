import { hasScope, type Caller } from '@svcforms/identity';
import type { TraceContext } from '@svcforms/primitives';

/** The user or API key that acts on tasks, over HTTP or MCP. */
export interface Actor {
  accountId: string;
  /** Id of the API key or the user. */
  by: string;
  /** Name of the API key or the user. */
  name?: string;
  /** Only of an API key: id of the user or key that created it. */
  createdBy?: string;
  /** See `Caller.memberOf`. */
  memberOf?: ReadonlySet<string>;
  /** Whether it has the scope `tasks:decide`. */
  mayDecide: boolean;
  /** Whether it is a user who logged in, and not a key. */
  hasSession: boolean;
  /** Whether it is a user who clicked in Slack. */
  isInSlack?: true;
  /** Whether it has the scope `tasks:manage`. */
  mayManage: boolean;
  /** Who sent the request; absent for a click in Slack. */
  caller?: Caller;
  requestId: string;
  /** The trace of the request. */
  trace?: TraceContext | undefined;
}

/** The part of an actor that says for whom it acts. */
export const originOf = ({ by, createdBy }: Pick<Actor, 'by' | 'createdBy'>) => ({
  id: by,
  ...(createdBy !== undefined && { createdBy }),
});

export function actorOf(
  caller: Caller,
  { requestId, trace }: { requestId: string; trace?: TraceContext | undefined },
): Actor {
  return {
    accountId: caller.accountId,
    by: caller.id,
    ...(caller.name !== undefined && { name: caller.name }),
    ...(caller.createdBy !== undefined && { createdBy: caller.createdBy }),
    ...(caller.memberOf !== undefined && { memberOf: caller.memberOf }),
    mayDecide: hasScope(caller, 'tasks:decide'),
    hasSession: caller.session !== undefined,
    mayManage: hasScope(caller, 'tasks:manage'),
    caller,
    requestId,
    trace,
  };
}
