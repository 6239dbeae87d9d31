/** The settings of one form. */
export const formSettingsTexts = {
  title: 'Settings',
  notifications: {
    title: 'Notifications',
    emails: 'Email addresses',
    emailsHint: 'One per line, at most 10. Each gets an email about every submission.',
    status: 'Address status',
    verified: 'Verified',
    pending: 'Waiting for verification',
    unsubscribed: 'Unsubscribed',
    unsaved: 'Save and publish to send a verification email.',
    unpublished: 'Publish to send a verification email.',
    verify: 'Resend verification email',
    sent: (email: string) => `Verification email sent to ${email}.`,
    noEmail: 'This installation sends no email. Ask its operator to set up SMTP.',
  },
  metadata: {
    title: 'Metadata',
    text: 'What we store about the visitor with each submission, besides the values.',
    includeIp: 'Store the IP address',
    includeUserAgent: 'Store the user agent',
  },
  origins: {
    title: 'Allowed origins',
    choice: 'Pages that may submit the form',
    any: 'Any page',
    listed: 'Only these origins',
    list: 'Origins',
    hint: 'One per line, such as https://www.example.com. The hosted page always works.',
    none: 'Without an origin, only the hosted page can submit the form.',
  },
  tasks: {
    title: 'Tasks',
    emit: 'Tasks emit submission events',
    emitHint: 'A submission that a task creates also sends form.submission.new to your webhooks.',
  },
  retention: {
    title: 'Retention',
    days: 'Erase submissions after (days)',
    hint: (account: number | undefined) =>
      account === undefined
        ? 'Also erases resolved tasks. Leave empty to keep them.'
        : `Also erases resolved tasks. Leave empty to use the ${account} days of the account.`,
  },
} as const;
