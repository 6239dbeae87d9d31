import { randomUUID } from 'node:crypto';

/**
 * The `noticesAt` of a change that adds notices. It is unique: the dispatcher removes the notices that
 * it has read on the condition that the mark is still the same, and others may be added in the same
 * millisecond. ADR 0015
 */
export const noticesMark = (at: string): string => `${at}|${randomUUID()}`;
