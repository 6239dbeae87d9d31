import { retentionDays } from '../api/schema-parts.ts';
import { z } from 'zod';
import { isEmail, isWebUrl } from './text-formats.ts';
import { Popup, PopupIn } from '../popup/popup.ts';

/** `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, or `rgb()/rgba()/hsl()/hsla()` of plain numbers. */
const COLOUR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([0-9.]{1,8}(?:deg|%)?(?:[ ,/]{1,3}[0-9.]{1,8}%?){2,3}\))$/i;

const colour = z.string().regex(COLOUR, 'must be a colour such as #1a73e8 or rgb(26, 115, 232)');

/** A font family: words, or one quoted name, without characters that can end a CSS declaration. */
const FONT_FAMILY = /^(?:[\p{L}\p{N} ._-]+|"[\p{L}\p{N} ._-]+"|'[\p{L}\p{N} ._-]+')$/u;

const Theme = z
  .strictObject({
    accent: colour.meta({ description: 'Colour of buttons and marks.', example: '#1a73e8' }).optional(),
    background: colour.meta({ description: 'Colour behind the form.', example: '#ffffff' }).optional(),
    text: colour.meta({ description: 'Colour of the text.', example: 'rgb(32, 33, 36)' }).optional(),
    radius: z
      .number()
      .min(0)
      .max(48)
      .meta({ description: 'Corner radius in pixels.', example: 8 })
      .optional(),
    font: z
      .string()
      .max(100)
      .refine(
        (text) => text.split(',').every((family) => FONT_FAMILY.test(family.trim())),
        'must be font family names, separated by commas',
      )
      .meta({ description: 'Font families, the preferred one first.', example: 'Inter, sans-serif' })
      .optional(),
  })
  .meta({ id: 'Theme', description: 'What the form looks like.' });

const webUrl = z.string().refine(isWebUrl, 'must be a web address that begins with https:// or http://');

const ThankYou = z
  .strictObject({
    title: z.string().meta({ description: 'Heading after submitting.', example: 'Thank you' }).optional(),
    message: z
      .string()
      .meta({ description: 'Text after submitting.', example: 'We will write soon.' })
      .optional(),
    redirectUrl: webUrl
      .meta({ description: 'Page to go to after submitting.', example: 'https://example.com/welcome' })
      .optional(),
  })
  .meta({ id: 'ThankYou', description: 'What a visitor gets after submitting.' });

const Notifications = z
  .strictObject({
    emails: z
      .array(z.string().refine(isEmail, 'must be an e-mail address'))
      .max(10)
      .meta({ description: 'Who gets an e-mail on each new submission.', example: ['team@example.com'] })
      .optional(),
  })
  .meta({ id: 'Notifications', description: 'E-mails on new submissions.' });

const CapturedMetadata = z
  .strictObject({
    includeIp: z
      .boolean()
      .meta({ description: "Keep the visitor's IP address. Absent: no.", example: false })
      .optional(),
    includeUserAgent: z
      .boolean()
      .meta({ description: "Keep the visitor's user agent. Absent: no.", example: false })
      .optional(),
  })
  .meta({ id: 'CapturedMetadata', description: 'What a submission keeps beside its data.' });

const TaskSettings = z
  .strictObject({
    emitSubmissionEvents: z
      .boolean()
      .meta({
        description: 'Whether a submission made by a task emits `form.submission.new`. Absent: no.',
        example: false,
      })
      .optional(),
  })
  .meta({ id: 'TaskSettings', description: 'Tasks on this form.' });

/**
 * `https://Example.com:443/` → `https://example.com`; undefined if the URL isn't exactly an origin.
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
    'must be an origin such as https://www.example.com: scheme, host, port if not the usual one, and no path; ' +
      'to allow every origin leave allowedOrigins out',
  )
  .overwrite((text) => originOf(text) ?? text);

/** Settings as saved and returned, without defaults. docs/reference/forms.md#form-settings */
export const FormSettings = z
  .strictObject({
    popup: Popup.optional(),
    theme: Theme.optional(),
    submitLabel: z.string().meta({ description: 'Label of the submit button.', example: 'Send' }).optional(),
    thankYou: ThankYou.optional(),
    keepDraft: z
      .boolean()
      .meta({
        description:
          'Whether what a visitor typed is kept in their browser until the tab is closed, so that it survives a reload. Absent: yes.',
        example: false,
      })
      .optional(),
    notifications: Notifications.optional(),
    metadata: CapturedMetadata.optional(),
    allowedOrigins: z
      .array(origin)
      .meta({
        description:
          'Origins whose pages may submit the form. Absent: any. Empty: none. The hosted page of the form always may.',
        example: ['https://www.example.com'],
      })
      .optional(),
    tasks: TaskSettings.optional(),
    retentionDays: retentionDays(
      "Days after which submissions, and tasks after they are resolved, are erased. Absent: the account's `retentionDays`.",
    ).optional(),
  })
  .meta({ id: 'FormSettings', description: 'Everything about a form but its fields.' });
export type FormSettings = z.output<typeof FormSettings>;

export const FormSettingsIn = FormSettings.extend({ popup: PopupIn.optional() }).meta({
  id: 'FormSettingsIn',
  description: 'Everything about a form but its fields.',
});
