/** How the form comes to its visitors. */
export const shareTexts = {
  title: 'Share',
  embed: {
    title: 'On a page of yours',
    inline: 'Put this where the form shall stand.',
    popup: 'Put this into the page, anywhere. The form opens by its trigger.',
    tag: 'Script tag',
  },
  open: {
    title: 'By a button or a link',
    text: 'A click opens the form over the page. The script tag has to be in the page once.',
    button: 'Button',
    link: 'Link that works without JavaScript, too',
    script: 'From a script',
    label: 'Open the form',
  },
  trigger: {
    title: 'With a trigger of its own',
    text: 'data-svc-trigger counts for this page alone, in place of what is set under Display. A comma lists alternatives, & joins conditions.',
    tag: 'Script tag with a trigger',
  },
  analytics: {
    title: 'With your analytics',
    text: 'The intent trigger hears your analytics product, which needs data-warm-lead="true" on its own script tag. data-svc-analytics names the prefix of its events, such as acme for acme:intent; without it, svc.',
    tag: 'Script tag with the prefix of your analytics',
  },
  hosted: {
    title: 'As a link',
    text: 'The form alone on a page, for mails, messages and frames.',
    link: 'Address of the form',
    frame: 'Frame',
    visit: 'Open the page',
  },
  csp: {
    title: 'If your page has a Content-Security-Policy',
    text: 'Add these sources to its directives. Styles need nothing.',
    lines: 'Lines of the policy',
  },
  debug: {
    title: 'When it does not show',
    text: 'With data-svc-debug the script says on the console of the browser which rule holds the form back.',
    tag: 'Script tag that explains itself',
  },
} as const;
