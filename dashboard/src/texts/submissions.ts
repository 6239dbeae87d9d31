import type { SubmissionMetadata } from '@svcforms/contracts';

/** What was submitted to a form. */
export const submissionsTexts = {
  title: 'Submissions',
  table: 'Table of the submissions',
  search: 'Search in the values',
  since: 'From',
  until: 'To',
  via: 'Sent by',
  viaAny: 'Anybody',
  vias: {
    web: 'A visitor',
    inbound: 'Another system',
    task: 'Settling a task',
  } satisfies Record<SubmissionMetadata['submittedVia'], string>,
  columns: { received: 'Received', via: 'Sent by' },
  chooseColumns: 'Columns',
  chooseColumnsTitle: 'Fields to show',
  exportCsv: 'Export CSV',
  exportNdjson: 'Export NDJSON',
  empty: 'Nothing has been submitted yet. What is submitted appears here by itself.',
  nothingFound: 'No submission fits what you look for.',
  clear: 'Show all submissions',
  arrived: (count: number) =>
    count === 1 ? 'A new submission arrived.' : `${count} new submissions arrived.`,
  yes: 'Yes',
  no: 'No',
  detail: {
    title: 'Submission',
    back: 'All submissions',
    values: 'Values',
    noValues: 'It has no values.',
    otherKeys: 'Sent beyond the fields of the form',
    about: 'How it came',
    id: 'Id',
    received: 'Received',
    via: 'Sent by',
    page: 'Page',
    ipAddress: 'Address',
    userAgent: 'Browser',
    taskId: 'Task',
    resolvedBy: 'Task resolved by',
    resolvers: { human: 'A person', expiry: 'Expiry (nobody decided in time)' } satisfies Record<
      NonNullable<SubmissionMetadata['resolvedBy']>,
      string
    >,
    copyJson: 'The submission as JSON',
    remove: 'Delete',
    removeTitle: 'Delete this submission?',
    removeText: 'It is gone for good. What was sent to webhooks stays there.',
    removed: 'The submission was deleted.',
  },
} as const;
