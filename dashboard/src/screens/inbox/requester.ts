import type { TaskOut } from '@svcforms/contracts';
import { inboxTexts } from '../../texts/inbox.ts';

/**
 * Returns a function from an id to the name of a user or API key in the history of a task. The task
 * has the name of its requester, even after that user or key was deleted.
 */
export const nameInTask =
  (task: TaskOut, myId: string, nameOf: (id: string) => string) =>
  (id: string): string =>
    (id === task.createdBy ? requesterOf(task, myId) : undefined) ?? nameOf(id);

/** The name of the API key or user that created the task; undefined for older tasks. */
export function requesterOf({ createdBy, createdByName }: TaskOut, myId: string): string | undefined {
  return createdBy === myId ? inboxTexts.you : createdByName;
}
