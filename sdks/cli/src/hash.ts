import { createHash } from 'node:crypto';

/** SHA-256 in hex. */
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
