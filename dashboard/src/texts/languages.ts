import type { Language } from '@svcforms/contracts';

const names: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  'pt-BR': 'Portuguese (Brazil)',
  nl: 'Dutch',
  pl: 'Polish',
  tr: 'Turkish',
  ja: 'Japanese',
  'zh-CN': 'Chinese (Simplified)',
  ar: 'Arabic',
};

/** Translations of a form. */
export const languagesTexts = {
  title: 'Languages',
  names,
  own: 'Original language',
  ownHint:
    'The language that you write this form in. Visitors see it, or one of your translations. If not set, buttons and messages follow the language of the page.',
  notSet: 'Not set',
  translate: 'Translation',
  choose: 'Choose a language',
  chooseHint:
    'Buttons and messages are already translated. Where you leave a text empty, visitors see the original.',
  done: (count: number, total: number) => `${count} of ${total} texts translated`,
  listed: (name: string) => `${name} (translated)`,
  remove: 'Delete translation',
  removeTitle: (name: string) => `Delete the ${name} translation?`,
  removeText: 'When you save, you lose all texts in this language.',
  slots: {
    title: 'Title',
    intro: 'Intro',
    label: 'Label',
    text: 'Text',
    placeholder: 'Placeholder',
    help: 'Help text',
    alt: 'Alternative text',
    option: 'Option',
    submitLabel: 'Submit button label',
    declineText: 'Decline button label',
    thankYouTitle: 'Thank-you title',
    thankYouMessage: 'Thank-you message',
    endingTitle: 'Title of the ending',
    endingMessage: 'Message of the ending',
    closedMessage: 'Text of the closed form',
  },
  of: (slot: string, field: string) => `${slot}: ${field}`,
} as const;
