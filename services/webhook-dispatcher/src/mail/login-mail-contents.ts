import type { AccountRecord } from '@svcforms/identity';
import { timeText, type MailContent } from './mail-text.ts';

/** The contents of emails whose link lets somebody in. */
export function loginMailContents(baseUrl: string) {
  return {
    passwordReset: (url: string, expiresAt: string): MailContent => ({
      subject: 'Reset your SvcForms password',
      paragraphs: [
        `Set a new password on this page: ${url}`,
        "Somebody asked for this at the login page. If it wasn't you, ignore this email: your password stays as it is.",
      ],
      rows: [['Works once, until', timeText(expiresAt)]],
      closing: `Sent by SvcForms at ${baseUrl}.`,
      link: url,
    }),

    invitation: (
      { name, singleSignOnRequired }: Pick<AccountRecord, 'name' | 'singleSignOnRequired'>,
      url: string,
      expiresAt: string,
    ): MailContent => ({
      subject: `Invitation to ${name} on SvcForms`,
      paragraphs: [
        singleSignOnRequired
          ? `Log in with single sign-on on this page: ${url}`
          : `Choose your name and password on this page: ${url}`,
        `You are invited to the account "${name}" at ${baseUrl}. If you don't know why, ignore this email.`,
      ],
      rows: [['Works once, until', timeText(expiresAt)]],
      closing: `Sent by SvcForms at ${baseUrl}.`,
      link: url,
    }),
  };
}
