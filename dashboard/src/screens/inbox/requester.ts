import type { TaskOut } from '@svcforms/contracts';
import { inboxTexts } from '../../texts/inbox.ts';

/** The name of the API key or user that created the task; undefined for older tasks. */
export function requesterOf({ createdBy, createdByName }: TaskOut, myId: string): string | undefined {
  return createdBy === myId ? inboxTexts.you : createdByName;
}
