/** The screens of one form. */
export const formTexts = {
  allForms: 'All forms',
  save: 'Save',
  saved: 'Form saved.',
  unsaved: 'Unsaved changes',
  upToDate: 'All changes saved',
  tabs: {
    label: 'Form sections',
    overview: 'Overview',
    build: 'Build',
    display: 'Display',
    submissions: 'Submissions',
    webhooks: 'Webhooks',
    inbound: 'Inbound',
    share: 'Share',
  },
  overview: {
    title: 'Overview',
    range: (days: number) => `Last ${days} days`,
    shown: 'Impressions',
    converted: 'Conversions',
    declined: 'Declines',
    submissions: 'Submissions',
    chart: 'Impressions, conversions and submissions by day',
    table: 'Show as table',
    day: 'Date',
  },
} as const;
