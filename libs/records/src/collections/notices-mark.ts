import { randomUUID } from 'node:crypto';

/**
 * The `noticesAt` of a change that adds notices. It is unique: the dispatcher removes the notices
 * that it has read on the condition that the mark is still the same, and others may be added in the
 * same millisecond. ADR 0015
 */
export const noticesMark = (at: string): string => `${at}|${randomUUID()}`;

/** The time in a mark (ISO 8601). Older versions stored only the time. */
export const noticesTime = (mark: string | undefined): string | undefined => mark?.split('|')[0];
