import { PageQuery, UserIn, UserOut, UserPatch } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createUsers } from './users.ts';

interface UserRoutesDeps {
  users: ReturnType<typeof createUsers>;
}

const manageUsers = { scope: 'users:manage' } as const;

/** The users of the account. */
export function userRoutes({ users }: UserRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/users', summary: 'Create a user', access: manageUsers, needsRecentLogin: true,
      body: UserIn, status: 201, response: UserOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'user.created', handler: users.create }),
    route({ method: 'GET', path: '/api/users', summary: 'List users', operationId: 'listUsers', access: manageUsers,
      query: PageQuery, status: 200, response: UserOut, handler: users.list }),
    route({ method: 'PATCH', path: '/api/users/:userId', summary: 'Update a user', operationId: 'changeUser', access: manageUsers, needsRecentLogin: true,
      description: 'Only owners can update owners. To change your own email or password, call PATCH /api/auth/me.',
      body: UserPatch, status: 200, response: UserOut, errors: ['CONFLICT'], audit: 'user.updated', handler: users.change }),
    route({ method: 'DELETE', path: '/api/users/:userId', summary: 'Delete a user and end their sessions', operationId: 'deleteUser', access: manageUsers, needsRecentLogin: true,
      status: 204, errors: ['CONFLICT'], audit: 'user.deleted', handler: users.remove }),
  ];
}
