/** The collections that only this service uses, for tools that process the whole store. */
export { DEAD_LETTERS } from './fan-out/dead-letters.ts';
export { MAILS } from './mail/mail-record.ts';
export type { MailRecord } from './mail/mail-record.ts';
export { MAIL_WINDOWS } from './mail/mail-windows.ts';
