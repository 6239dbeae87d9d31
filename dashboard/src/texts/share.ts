/** The snippets and links that publish the form. */
export const shareTexts = {
  title: 'Share',
  seen: {
    on: (host: string) => `Script last seen on ${host},`,
    never:
      'Script not seen on a page yet. Open the page with the script tag. The page appears here within a minute.',
  },
  unpublished: 'This form isn’t published, so visitors can’t see it yet.',
  publish: 'Publish it',
  embed: {
    title: 'Embed on your site',
    inline: 'Paste this script tag where you want the form to appear.',
    popup: 'Paste this script tag anywhere in the page. The popup opens when its trigger fires.',
    tag: 'Script tag',
  },
  open: {
    title: 'Open from a button or link',
    text: 'A click opens the form as a popup. Include the script tag once per page.',
    button: 'Button',
    link: 'Link (opens the hosted page if the script is blocked)',
    script: 'JavaScript call',
    label: 'Open the form',
  },
  trigger: {
    title: 'Use another trigger on one page',
    text: 'data-svc-trigger replaces the saved trigger on this page. Separate alternatives with a comma, and combine triggers with &.',
    tag: 'Script tag with a trigger',
  },
  analytics: {
    title: 'Connect your analytics',
    text: 'The engagement (intent) trigger listens to your analytics product, which needs data-warm-lead="true" on its own script tag. data-svc-analytics sets the prefix of its events, such as acme for acme:intent. The default is svc.',
    tag: 'Script tag with an analytics prefix',
  },
  hosted: {
    title: 'Share a link',
    text: 'A hosted page with only the form, for emails, messages and iframes.',
    link: 'Link to the form',
    frame: 'Iframe',
    visit: 'Open hosted page',
  },
  csp: {
    title: 'Content Security Policy',
    text: 'If your page sends a Content-Security-Policy header, add these sources. Styles need no change.',
    lines: 'Policy directives',
  },
  debug: {
    title: 'Debug the display rules',
    text: 'With data-svc-debug, the script logs every display rule to the browser console.',
    tag: 'Script tag with debug output',
  },
} as const;
