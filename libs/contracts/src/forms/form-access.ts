import { z } from 'zod';

/**
 * Who of the users with the role `reviewer` may see a form. See docs/reference/forms.md#reviewers.
 */
export const FormReviewers = z
  .strictObject({
    groups: z
      .array(z.string().min(1).max(100))
      .min(1, 'must name at least one group; omit reviewers to let every reviewer see the form')
      .max(20)
      .overwrite((ids) => [...new Set(ids)])
      // Without an example: its groups would belong to no account.
      .meta({ description: 'Ids of groups.' }),
  })
  .meta({
    id: 'FormReviewers',
    description:
      'Groups whose members review the form. Other users with the role `reviewer` see neither the form nor its submissions and tasks. Default: every reviewer.',
  });

export type FormReviewers = z.output<typeof FormReviewers>;

/**
 * Of a caller or user: the ids of their groups if they are limited to forms that name one of them.
 */
export interface FormMember {
  memberOf?: ReadonlySet<string> | undefined;
}

interface WithReviewers {
  settings: { reviewers?: { groups: readonly string[] } | undefined };
}

/** A stored form. What was never published (version 0) has its settings in the draft only. */
interface LimitedForm extends WithReviewers {
  version?: number;
  draft?: { definition: WithReviewers };
}

/**
 * Whether a caller may see a form of their account, its submissions and its tasks. `null`: the form
 * doesn't exist anymore, so only callers without a limit see what is left of it. Pure.
 */
export function maySeeForm({ memberOf }: FormMember, form: LimitedForm | null): boolean {
  if (memberOf === undefined) return true;
  if (!form) return false;
  const { reviewers } = (form.version === 0 && form.draft ? form.draft.definition : form).settings;
  return !reviewers || reviewers.groups.some((id) => memberOf.has(id));
}
