const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The list of forms. */
export const formsTexts = {
  title: 'Forms',
  search: 'Search forms by name',
  empty: 'You have no forms yet. Begin with a template, or with a blank one.',
  nothingFound: (text: string) => `No form has “${text}” in its name.`,
  columns: {
    name: 'Name',
    mode: 'Shown',
    submissions: 'Submissions',
    line: 'Shown and converted, 14 days',
    changed: 'Last change',
    actions: 'Actions',
  },
  popup: 'Popup',
  inline: 'In the page',
  line: (shown: number, converted: number) =>
    `Shown ${counted(shown, 'time', 'times')}, converted ${counted(converted, 'time', 'times')} in 14 days`,
  noLine: 'Nothing yet',
  noNumber: '–',
  numberToCome: '…',
  actionsOf: (name: string) => `Actions for ${name}`,
  edit: 'Edit',
  duplicate: 'Duplicate',
  duplicated: (name: string) => `“${name}” was made.`,
  export: 'Export',
  fileName: (name: string) => `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'form'}.json`,
  import: 'Import',
  importFile: 'Import a form from a file',
  imported: (name: string) => `“${name}” was imported.`,
  notJson: (file: string) => `${file} holds no exported form: it is no JSON.`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (webhooks: number | undefined, submissions: number | undefined) =>
    [
      'With the form go',
      submissions === undefined
        ? 'all of its submissions,'
        : `${counted(submissions, 'submission', 'submissions')},`,
      webhooks === undefined
        ? 'its webhooks and their deliveries,'
        : `${counted(webhooks, 'webhook', 'webhooks')} and their deliveries,`,
      'its inbound endpoint and its numbers. Pages that embed it show nothing in its place. This can not be undone.',
    ].join(' '),
  deleted: (name: string) => `“${name}” was deleted.`,
  new: {
    button: 'New form',
    title: 'A new form',
    name: 'Name',
    start: 'Begin with',
    blank: 'A blank form',
    blankText: 'Nothing in it yet.',
    create: 'Create',
  },
} as const;
