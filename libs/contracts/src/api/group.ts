import { z } from 'zod';
import { idOut, timeOut, visibleName } from './schema-parts.ts';

/** Maximum members per group, and groups per account. */
const MAX_GROUP_MEMBERS = 200;
export const MAX_GROUPS = 200;

const name = z
  .string()
  .overwrite((text) => text.trim())
  .min(1)
  .max(200)
  .meta({ description: 'Name of the group, unique in the account.', example: 'Finance' });
const members = z
  .array(z.string().min(1).max(100))
  .max(MAX_GROUP_MEMBERS)
  .overwrite((ids) => [...new Set(ids)])
  .meta({
    description: 'Ids of the users in the group.',
    example: ['usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
  });

/** A group of users. See docs/reference/authentication.md#groups. */
export const GroupOut = z
  .object({
    id: idOut('grp', 'Id of the group.'),
    name,
    members,
    createdAt: timeOut('When the group was created.'),
    updatedAt: timeOut('When the group was last changed.'),
  })
  .meta({ id: 'Group', description: 'A group of users, for the policies of tasks.' });
export type GroupOut = z.output<typeof GroupOut>;

/** Request body of POST /api/groups. */
export const GroupIn = z
  .strictObject({
    name: visibleName(name),
    members: members
      .default(() => [])
      .meta({
        description: 'Ids of the users in the group. Default: none.',
        example: [],
      }),
  })
  .meta({ id: 'GroupIn', description: 'A group to create.' });
export type GroupIn = z.output<typeof GroupIn>;

/** Request body of PATCH /api/groups/{id}. Absent properties stay unchanged. */
export const GroupPatch = z
  .strictObject({ name: visibleName(name).optional(), members: members.optional() })
  .meta({ id: 'GroupPatch', description: 'Changes to a group. `members` replaces all members.' });
export type GroupPatch = z.output<typeof GroupPatch>;
