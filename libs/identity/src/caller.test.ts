import type { Role } from '@svcforms/contracts';
import { scopesOfRole } from './caller.ts';

describe('the scopes of a role', () => {
  it.each([
    ['owner', ['*']],
    ['reviewer', ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read']],
    ['auditor', []],
  ])('%s are %j: one that only a newer version knows gives nothing.', (role, scopes) => {
    expect(scopesOfRole(role as Role)).toEqual(scopes);
  });
});
