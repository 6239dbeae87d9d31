/** After a login as another user in another tab. */
export const otherUserTexts = {
  title: 'Another user logged in',
  text: (name: string) =>
    `This browser isn’t logged in as ${name} anymore, so this page can’t save anything. Your input is still here: copy what you need, then reload the page.`,
  reload: 'Reload page',
} as const;
