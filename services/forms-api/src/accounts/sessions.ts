import { AppError } from '@svcforms/contracts';
import {
  auditActor,
  sessionCookie,
  type PathRequest,
  type Reply,
  type RouteRequest,
  type SessionCaller,
} from '@svcforms/http';
import type { Sessions } from '@svcforms/identity';
import { sessionOut } from './account-out.ts';

type Request = RouteRequest<unknown, unknown, SessionCaller>;

interface OwnSessionsDeps {
  sessions: Pick<Sessions, 'list' | 'endOne' | 'endAll'>;
  /** The public origin. */
  baseUrl: string;
}

/** The sessions of the caller. */
export function createOwnSessions({ sessions, baseUrl }: OwnSessionsDeps) {
  const loggedOut: Reply = { headers: { 'Set-Cookie': sessionCookie('', { baseUrl, maxAgeSeconds: 0 }) } };

  return {
    list: async ({ caller }: Request): Promise<Reply> => {
      const open = await sessions.list(caller.id);
      return { data: open.map((session) => sessionOut(session, caller.session.sessionId)) };
    },

    end: async ({
      params,
      caller,
      note,
    }: PathRequest<'sessionId', unknown, unknown, SessionCaller>): Promise<Reply> => {
      const ended = await sessions.endOne(caller.id, params.sessionId);
      if (!ended) throw new AppError('NOT_FOUND', 'There is no such session');
      note({ event: 'session.ended', userId: caller.id });
      return ended._id === caller.session.sessionId ? loggedOut : {};
    },

    /** Includes the current session. */
    endAll: async ({ caller, note, audit }: Request): Promise<Reply> => {
      await sessions.endAll(caller.id);
      note({ event: 'session.all_ended', userId: caller.id });
      audit({ target: auditActor(caller) });
      return loggedOut;
    },
  };
}
