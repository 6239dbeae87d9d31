import { z } from 'zod';
import { CLOSED_TEXTS } from '../languages/closed-texts.ts';
import type { Language } from '../languages/languages.ts';

/** The most submissions that a form can be limited to. */
const MAX_SUBMISSION_LIMIT = 10_000_000;

/**
 * When a form stops accepting submissions, as it is stored and returned. See
 * docs/reference/forms.md#close-a-form.
 */
export const Closing = z
  .strictObject({
    isClosed: z
      .boolean()
      .meta({ description: 'Whether the form is closed now. Default: false.', example: false })
      .optional(),
    closesAt: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2030-01-31T22:59:00Z' })
      .meta({ description: 'When the form closes. Default: never.', example: '2030-01-31T22:59:00Z' })
      .optional(),
    maxSubmissions: z
      .int()
      .min(1)
      .max(MAX_SUBMISSION_LIMIT)
      .meta({
        description:
          'How many submissions the form accepts from visitors and other systems. Those of tasks, and quarantined ones, don’t count. Default: any number.',
        example: 100,
      })
      .optional(),
    message: z
      .string()
      .max(2000)
      .meta({
        description: 'What visitors see instead of the closed form. Default: a sentence in their language.',
        example: 'Registration has ended. See you next year!',
      })
      .optional(),
  })
  .meta({ id: 'Closing', description: 'When the form stops accepting submissions.' });
export type Closing = z.output<typeof Closing>;

/** What visitors of a closed form read: its own text in their language, else a sentence of ours. */
export function closingText(
  {
    closing,
    translations,
  }: {
    closing?: Closing | undefined;
    translations?: { [L in Language]?: { closedMessage?: string | undefined } | undefined } | undefined;
  },
  language: Language = 'en',
): string {
  const texts = [translations?.[language]?.closedMessage, closing?.message];
  return texts.find((text) => text?.trim()) ?? CLOSED_TEXTS[language];
}
