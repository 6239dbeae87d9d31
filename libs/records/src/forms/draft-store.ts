import {
  formDefinition,
  themeIssues,
  validationFailed,
  type FormDefinition,
  type FormIn,
  type FormSettings,
  type Issue,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { insertOnce } from '../collections/insert-once.ts';
import type { FormRecord } from '../collections/form.ts';
import { draftEtag, requireTag } from './form-tags.ts';
import { ownForm } from './own-form.ts';
import { SAVE_TRIES, tooManyChanges } from './save-tries.ts';

type TaskSettings = Pick<FormSettings, 'tasks'>;
type GroupSettings = Pick<FormSettings, 'tasks' | 'reviewers'>;

/**
 * Reports users and groups in the settings that the account doesn't have; those in `saved` may
 * stay.
 */
export type FindPolicyIssues = (
  accountId: string,
  settings: TaskSettings,
  saved?: TaskSettings,
) => Promise<Issue[]>;

/** Runs `save`, and keeps the groups in the settings from being deleted meanwhile. */
export type KeepGroups = <T>(
  form: { accountId: string; settings: GroupSettings; saved?: GroupSettings | undefined },
  save: () => Promise<T>,
) => Promise<T>;

interface DraftStoreDeps {
  forms: Pick<Collection<FormRecord>, 'findOne' | 'findOneAndUpdate' | 'insertOne'>;
  policyIssues: FindPolicyIssues;
  keepGroups: KeepGroups;
  now: Clock;
}

/** A draft to store. `check`: throws if it can't be stored; called when its groups are kept. */
interface Edited {
  definition: FormDefinition;
  check?: () => Promise<void>;
}

/** Who saves a draft: an account, and the id of its user, key or agent. */
export interface DraftAuthor {
  accountId: string;
  id: string;
}

/** The form whose draft is saved. `ifMatch`: the tag that it must have; absent: any. */
interface DraftTarget {
  formId: string;
  ifMatch?: string | undefined;
}

/**
 * Drafts of forms: changes that visitors don't see until they are published. The HTTP API and the
 * MCP server save them in the same way. docs/reference/forms.md#drafts
 */
export function createDraftStore({ forms, policyIssues, keepGroups, now }: DraftStoreDeps) {
  /**
   * Stores a draft, on top of the version that is published now. @returns `null` after a conflict
   */
  function store(saved: FormRecord, definition: FormDefinition, by: string): Promise<FormRecord | null> {
    const { _id, version, draft, draftRevision } = saved;
    return forms.findOneAndUpdate(
      {
        _id,
        version,
        deletedAt: null,
        'draft.revision': draft?.revision ?? null,
        draftRevision: draftRevision ?? null,
      },
      {
        $set: {
          // The list of forms shows and finds it by its name.
          ...(version === 0 && { name: definition.name }),
          draft: {
            definition,
            basedOn: version,
            revision: (draft?.revision ?? draftRevision ?? 0) + 1,
            updatedAt: isoTime(now()),
            updatedBy: by,
          },
        },
      },
      { returning: 'after' },
    );
  }

  /**
   * Reads the form and stores the draft that `edit` makes of it, again after conflicts.
   * @throws AppError `NOT_FOUND`, `CONFLICT` if the form doesn't have the tag
   */
  async function save(
    author: DraftAuthor,
    { formId, ifMatch }: DraftTarget,
    edit: (saved: FormRecord) => Edited | Promise<Edited>,
  ): Promise<FormRecord> {
    for (let tries = 0; tries < SAVE_TRIES; tries++) {
      const saved = await ownForm(forms, author, formId);
      requireTag(ifMatch, draftEtag(saved), saved.version);
      const { definition, check } = await edit(saved);
      const stored = await keepGroups(
        {
          accountId: saved.accountId,
          settings: definition.settings,
          saved: (saved.draft?.definition ?? saved).settings,
        },
        async () => {
          await check?.();
          return store(saved, definition, author.id);
        },
      );
      if (stored) return stored;
    }
    throw tooManyChanges();
  }

  return {
    /** Stores the draft that `edit` makes of the form. Its users and groups aren't checked. */
    save: (
      author: DraftAuthor,
      target: DraftTarget,
      edit: (saved: FormRecord) => FormDefinition | Promise<FormDefinition>,
    ): Promise<FormRecord> => save(author, target, async (saved) => ({ definition: await edit(saved) })),

    /**
     * Creates a form that isn't published yet. A second call with the same id changes nothing.
     * `copied`: the form that it is a copy of.
     * @throws AppError `VALIDATION_FAILED`
     */
    async create(
      { accountId, id: by }: DraftAuthor,
      formId: string,
      input: FormIn,
      copied?: FormDefinition,
    ): Promise<FormRecord> {
      const { definition, issues } = formDefinition(input, copied);
      const { settings } = definition;
      return keepGroups({ accountId, settings }, async () => {
        issues.push(...(await policyIssues(accountId, settings, copied?.settings)));
        if (issues.length > 0) throw validationFailed(issues);
        const at = isoTime(now());
        return insertOnce<FormRecord>(forms, {
          _id: formId,
          accountId,
          name: definition.name,
          fields: [],
          settings: {},
          verifiesRecipients: true,
          createdAt: at,
          updatedAt: at,
          version: 0,
          draft: { definition, basedOn: 0, revision: 1, updatedAt: at, updatedBy: by },
        });
      });
    },

    /**
     * Replaces the draft of a form, or begins one.
     * @throws AppError `VALIDATION_FAILED`, and those of `save`
     */
    replace: (author: DraftAuthor, target: DraftTarget, input: FormIn): Promise<FormRecord> =>
      save(author, target, (saved) => {
        const before = saved.draft?.definition ?? saved;
        const { definition, issues } = formDefinition(input, before);
        const check = async () => {
          issues.push(...(await policyIssues(saved.accountId, definition.settings, before.settings)));
          issues.push(...themeIssues(definition.settings.theme, before.settings.theme));
          if (issues.length > 0) throw validationFailed(issues);
        };
        return { definition, check };
      }),
  };
}

export type DraftStore = ReturnType<typeof createDraftStore>;
