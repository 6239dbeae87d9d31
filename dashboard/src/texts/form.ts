/** What stands around the screens of one form. */
export const formTexts = {
  allForms: 'All forms',
  tabs: {
    label: 'Parts of the form',
    overview: 'Overview',
    submissions: 'Submissions',
    webhooks: 'Webhooks',
    inbound: 'Integrations',
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
