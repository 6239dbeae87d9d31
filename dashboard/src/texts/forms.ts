/** The list of forms. */
export const formsTexts = {
  title: 'Forms',
  search: 'Search forms by name',
  empty: 'You have no forms yet.',
  nothingFound: (text: string) => `No form has “${text}” in its name.`,
  columns: { name: 'Name', mode: 'Shown', changed: 'Last change' },
  popup: 'Popup',
  inline: 'In the page',
} as const;
