const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The list of forms. */
export const formsTexts = {
  title: 'Forms',
  search: 'Search forms',
  empty: 'You have no forms yet. Start from a template or from scratch.',
  nothingFound: (text: string) => `No forms match “${text}”.`,
  columns: {
    name: 'Name',
    status: 'Status',
    mode: 'Display mode',
    submissions: 'Submissions',
    line: 'Impressions, 14 days',
    changed: 'Last updated',
    actions: 'Actions',
  },
  status: { draft: 'Draft', published: 'Published', closed: 'Closed', changed: 'Unpublished changes' },
  popup: 'Popup',
  inline: 'Inline',
  line: (shown: number, converted: number) =>
    `${counted(shown, 'impression', 'impressions')} and ${counted(converted, 'conversion', 'conversions')} in the last 14 days`,
  noLine: 'No impressions',
  noNumber: '–',
  numberToCome: '…',
  actionsOf: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  duplicate: 'Duplicate',
  duplicated: (name: string, hasChanges: boolean) =>
    `“${name}” created as a draft${hasChanges ? ', without the unpublished changes' : ''}.`,
  export: 'Export',
  fileName: (name: string) => `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'form'}.json`,
  import: 'Import',
  importFile: 'Import a form from a file',
  imported: (name: string) => `“${name}” imported as a draft.`,
  notJson: (file: string) => `${file} isn’t an exported form: it isn’t valid JSON.`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (
    webhooks: number | undefined,
    submissions: number | undefined,
    pendingTasks: string | undefined,
  ) =>
    [
      'This also deletes',
      submissions === undefined
        ? 'its submissions,'
        : `${counted(submissions, 'submission', 'submissions')},`,
      webhooks === undefined
        ? 'its webhooks and their deliveries,'
        : `${counted(webhooks, 'webhook', 'webhooks')} with all deliveries,`,
      pendingTasks ? `its tasks (${pendingTasks} pending),` : 'its tasks,',
      'its inbound endpoints and its analytics. Pages that embed the form show nothing in its place. You can’t undo this.',
    ].join(' '),
  deleted: (name: string) => `“${name}” deleted.`,
  new: {
    button: 'New form',
    title: 'New form',
    name: 'Name',
    start: 'Start from',
    blank: 'Blank form',
    blankText: 'Start from scratch.',
    preview: 'Preview of the template',
    noPreview: 'Choose a template to preview it.',
    create: 'Create form',
  },
} as const;
