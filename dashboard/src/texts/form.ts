/** What stands around the screens of one form. */
export const formTexts = {
  allForms: 'All forms',
  save: 'Save',
  saved: 'The form was saved.',
  unsaved: 'Not saved yet',
  upToDate: 'Everything is saved',
  tabs: {
    label: 'Parts of the form',
    overview: 'Overview',
    build: 'Build',
    display: 'Display',
    submissions: 'Submissions',
    webhooks: 'Webhooks',
    inbound: 'Integrations',
    share: 'Share',
  },
  overview: {
    title: 'Overview',
    range: (days: number) => `The last ${days} days`,
    shown: 'Shown',
    converted: 'Converted',
    declined: 'Declined',
    submissions: 'Submissions',
    chart: 'Shown, converted and submitted, by day',
    table: 'The same as a table',
    day: 'Day',
  },
} as const;
