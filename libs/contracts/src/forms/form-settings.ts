import { retentionDays } from '../api/schema-parts.ts';
import { z } from 'zod';
import { isEmail, isWebUrl } from '../api/text-formats.ts';
import { Popup, PopupIn } from '../popup/popup.ts';
import { Endings, Jumps } from './logic-schema.ts';
import { PLACEMENTS, POSITIONS } from './placement.ts';
import { FormReviewers } from './form-access.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { Closing } from './closing.ts';
import { slackChannel } from '../api/slack.ts';
import { checkFollowUps, followUpShape, TaskPolicy } from '../tasks/policy.ts';
import { SpamSettings } from './spam.ts';
import { Theme } from './theme.ts';
import { Translations } from './translation.ts';

const webUrl = z.string().refine(isWebUrl, 'must be a URL that starts with https:// or http://');

const ThankYou = z
  .strictObject({
    title: z.string().meta({ description: 'Heading after submission.', example: 'Thank you' }).optional(),
    message: z
      .string()
      .meta({ description: 'Text after submission.', example: 'We will write soon.' })
      .optional(),
    redirectUrl: webUrl
      .meta({ description: 'URL to redirect to after submission.', example: 'https://example.com/welcome' })
      .optional(),
  })
  .meta({ id: 'ThankYou', description: 'What visitors see after submission.' });

const Notifications = z
  .strictObject({
    emails: z
      .array(z.string().refine(isEmail, 'must be an email address'))
      .max(10)
      .meta({
        description: 'Recipients of an email about each new submission.',
        example: ['team@example.com'],
      })
      .optional(),
  })
  .meta({ id: 'Notifications', description: 'Email notifications about new submissions.' });

const CapturedMetadata = z
  .strictObject({
    includeIp: z
      .boolean()
      .meta({ description: "Store the visitor's IP address. Default: false.", example: false })
      .optional(),
    includeUserAgent: z
      .boolean()
      .meta({ description: "Store the visitor's user agent. Default: false.", example: false })
      .optional(),
  })
  .meta({ id: 'CapturedMetadata', description: 'Metadata to store with a submission.' });

const TaskSettings = z
  .strictObject({
    emitSubmissionEvents: z
      .boolean()
      .meta({
        description: 'Whether a submission created by a task emits `form.submission.new`. Default: false.',
        example: false,
      })
      .optional(),
    policy: TaskPolicy.optional(),
    ...followUpShape,
    slackChannel: z
      .union([slackChannel, z.literal('none')], {
        error: 'must be the id of a Slack channel, such as C0123456789, or "none"',
      })
      .meta({
        description:
          'Id of the Slack channel that gets new tasks, or `none`. Default: `slackChannel` of the account, `none` with `reviewers`.',
        example: 'C0123456789',
      })
      .optional(),
  })
  .superRefine(checkFollowUps)
  .meta({
    id: 'TaskSettings',
    description: 'Settings for tasks on this form, and defaults of new tasks.',
    // The ids of users and groups in the examples of the parts belong to no account.
    example: { emitSubmissionEvents: false },
  });

/**
 * Normalizes an origin: `https://Example.com:443/` → `https://example.com`.
 * @returns undefined if the text isn't exactly an origin
 */
function originOf(text: string): string | undefined {
  if (!isWebUrl(text) || text.includes('*')) return undefined;
  const url = new URL(text);
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

const origin = z
  .string()
  .refine(
    (text) => originOf(text) !== undefined,
    'must be an origin such as https://www.example.com (scheme, host and non-default port, no path); ' +
      'to allow every origin, omit allowedOrigins',
  )
  .overwrite((text) => originOf(text) ?? text);

/**
 * Form settings as they are stored and returned, without defaults. See
 * docs/reference/forms.md#form-settings.
 */
export const FormSettings = z
  .strictObject({
    popup: Popup.optional(),
    placement: z
      .enum(PLACEMENTS)
      .meta({
        description:
          'How the form is shown. All but `inline` need popup mode. Default: `modal` in popup mode, else `inline`.',
        example: 'slide-in',
      })
      .optional(),
    position: z
      .enum(POSITIONS)
      .meta({
        description: 'Corner of a `slide-in` (default: bottom-right), or edge of a `bar` (default: bottom).',
        example: 'bottom-left',
      })
      .optional(),
    theme: Theme.optional(),
    submitLabel: z.string().meta({ description: 'Label of the submit button.', example: 'Send' }).optional(),
    thankYou: ThankYou.optional(),
    jumps: Jumps.optional(),
    endings: Endings.optional(),
    language: z
      .enum(LANGUAGES)
      .meta({
        description:
          'Language of the form’s own texts. With it, the form is shown only in this language and those of its translations, otherwise in this one.',
        example: 'en',
      })
      .optional(),
    translations: Translations.optional(),
    keepDraft: z
      .boolean()
      .meta({
        description:
          'Whether the browser keeps unsubmitted values until the tab is closed, so that they survive a reload. Default: true.',
        example: false,
      })
      .optional(),
    notifications: Notifications.optional(),
    metadata: CapturedMetadata.optional(),
    allowedOrigins: z
      .array(origin)
      .meta({
        description:
          'Origins whose pages may submit the form. Default: any; an empty list allows none. The hosted page of the form may always submit it.',
        example: ['https://www.example.com'],
      })
      .optional(),
    spam: SpamSettings.optional(),
    tasks: TaskSettings.optional(),
    reviewers: FormReviewers.optional(),
    closing: Closing.optional(),
    retentionDays: retentionDays(
      'Days after which submissions and resolved tasks are erased. Default: `retentionDays` of the account.',
    ).optional(),
  })
  .meta({ id: 'FormSettings', description: 'Settings of a form.' });
export type FormSettings = z.output<typeof FormSettings>;

export const FormSettingsIn = FormSettings.extend({ popup: PopupIn.optional() }).meta({
  id: 'FormSettingsIn',
  description: 'Settings of a form.',
});
