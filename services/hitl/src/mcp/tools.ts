import type { Collection } from '@svcforms/document-store';
import type { FormRecord, SubmissionRecord } from '@svcforms/records';
import { draftTools, type DraftToolsDeps } from './draft-tools.ts';
import { createFindForm } from '../tasks/find-form.ts';
import { formTools } from './form-tools.ts';
import { submissionTools } from './submission-tools.ts';
import { taskTools, type TaskToolsDeps } from './task-tools.ts';
import type { Tool } from './tool.ts';

export interface ToolDeps extends TaskToolsDeps, DraftToolsDeps {
  forms: Pick<Collection<FormRecord>, 'findOne' | 'find'>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne' | 'find'>;
}

/**
 * The tools of the MCP server. None of them decides a task or publishes a form.
 * docs/reference/mcp.md#tools
 */
export function tools(deps: ToolDeps): Tool[] {
  const { forms, submissions } = deps;
  const findForm = createFindForm(forms);
  return [
    ...formTools({ forms, findForm }),
    ...taskTools(deps),
    ...submissionTools({ submissions, findForm }),
    ...draftTools(deps),
  ];
}
