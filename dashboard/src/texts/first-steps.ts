/** The checklist of a new form. */
export const firstStepsTexts = {
  title: 'Get started',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  dismiss: 'Hide this checklist',
  done: 'Done',
  open: 'To do',
  steps: {
    build: { title: 'Build', text: 'Add the questions that visitors see.', action: 'Add fields' },
    display: {
      title: 'Display',
      text: 'Show the form inline, or as a popup with a trigger.',
      action: 'Choose display mode',
    },
    embed: {
      title: 'Embed',
      text: 'Paste the script tag into your site. We tell you when we see it.',
      action: 'Copy script tag',
    },
    unpublished: {
      title: 'Embed',
      text: 'Publish the form, so that visitors can see it. Then paste its script tag into your site.',
      action: 'Publish',
    },
    submission: {
      title: 'First submission',
      text: 'Submit the form once to see what arrives.',
      action: 'View submissions',
    },
    webhook: {
      title: 'First webhook',
      text: 'Send every submission to your own systems.',
      action: 'Add webhook',
    },
  },
} as const;
