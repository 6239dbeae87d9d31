/** Pages that don't exist, or that aren't for the user. */
export const missingTexts = {
  notFound: {
    title: 'Page not found',
    text: 'Check the URL. The page may have been deleted.',
    home: 'Go to forms',
  },
  noAccess: {
    title: 'You don’t have access to this page',
    text: (role: string) => `Your role is ${role}. Ask an owner or an admin of your account for access.`,
    home: 'Go to your start page',
  },
} as const;
