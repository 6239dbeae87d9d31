import { z } from 'zod';
import { unsafeLink, unsafeLinkMessage } from './markdown.ts';

const MAX_INTRO = 2000;

export const formTitle = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Title that visitors see. Default: the name.', example: 'Write to us' })
  .optional();

export const formIntro = z
  .string()
  .max(MAX_INTRO)
  .superRefine((text, context) => {
    const link = unsafeLink(text);
    if (link !== undefined) context.addIssue({ code: 'custom', message: unsafeLinkMessage(link) });
  })
  .meta({
    description: 'Text below the title that visitors see, as Markdown with links.',
    example: 'We reply **within a day**.',
  })
  .optional();
