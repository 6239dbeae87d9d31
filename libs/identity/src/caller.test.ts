import type { Role } from '@svcforms/contracts';
import { scopesOfRole } from './caller.ts';

describe('the scopes of a role', () => {
  it.each([
    ['owner', ['*']],
    ['reviewer', ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read']],
    ['auditor', []],
  ])('of %s are %j; a role from a newer version has none', (role, scopes) => {
    expect(scopesOfRole(role as Role)).toEqual(scopes);
  });
});
