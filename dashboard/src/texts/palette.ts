/** The command palette. */
export const paletteTexts = {
  title: 'Search and commands',
  input: 'Search forms, tasks, settings and actions',
  nothing: (text: string) => `Nothing matches “${text}”.`,
  searching: 'Searching…',
  groups: {
    form: (name: string) => `This form: ${name}`,
    forms: 'Forms',
    tasks: 'Tasks',
    navigation: 'Go to',
    actions: 'Actions',
  },
  settings: (section: string) => `Settings: ${section}`,
  newForm: 'New form',
  untitledTask: 'Untitled task',
} as const;
