import { GroupIn, GroupOut, GroupPatch, PageQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createGroups, type GroupsDeps } from './groups.ts';

const GROUP = '/api/groups/:groupId';

const manageUsers = { scope: 'users:manage' } as const;

export function groupRoutes(deps: GroupsDeps): Route[] {
  const groups = createGroups(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/groups', summary: 'Create a group', access: manageUsers,
      body: GroupIn, status: 201, response: GroupOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'group.created', handler: groups.create }),
    route({ method: 'GET', path: '/api/groups', summary: 'List groups', operationId: 'listGroups', access: manageUsers,
      query: PageQuery, status: 200, response: GroupOut, handler: groups.list }),
    route({ method: 'GET', path: GROUP, summary: 'Get a group', access: manageUsers,
      status: 200, response: GroupOut, handler: groups.get }),
    route({ method: 'PATCH', path: GROUP, summary: 'Update a group', operationId: 'changeGroup', access: manageUsers,
      body: GroupPatch, status: 200, response: GroupOut, errors: ['CONFLICT'], audit: 'group.updated', handler: groups.change }),
    route({ method: 'DELETE', path: GROUP, summary: 'Delete a group', access: manageUsers,
      description: 'Refused while the settings of a form or its draft use the group. Pending tasks lose its members as reviewers.',
      status: 204, errors: ['CONFLICT'], audit: 'group.deleted', handler: groups.remove }),
  ];
}
