import { z } from 'zod';
import { isWebUrl } from '../api/text-formats.ts';
import { COLOR } from './color.ts';

const color = z.string().regex(COLOR, 'must be a color such as #1a73e8 or rgb(26, 115, 232)');

/** A font family: words, or one quoted name. No allowed character can end a CSS declaration. */
const FONT_FAMILY = /^(?:[\p{L}\p{N} ._-]+|"[\p{L}\p{N} ._-]+"|'[\p{L}\p{N} ._-]+')$/u;

/** The URL of a picture that visitors load. */
export const pictureUrl = z
  .string()
  .max(2048)
  .refine((text) => /^https:/i.test(text) && isWebUrl(text), 'must be a URL that starts with https://');

export const DENSITIES = ['compact', 'comfortable', 'spacious'] as const;

/** See docs/reference/themes.md#theme-settings. */
export const Theme = z
  .strictObject({
    colorScheme: z
      .enum(['light', 'dark', 'page', 'system'])
      .meta({
        description:
          'Color scheme of the form: always `light` or `dark`, that of the page around it, or that of the visitor’s system. Default: page.',
        example: 'page',
      })
      .optional(),
    accent: color.meta({ description: 'Color of buttons and accents.', example: '#1a73e8' }).optional(),
    background: color.meta({ description: 'Background color of the form.', example: '#ffffff' }).optional(),
    text: color.meta({ description: 'Text color.', example: 'rgb(32, 33, 36)' }).optional(),
    radius: z
      .number()
      .min(0)
      .max(48)
      .meta({ description: 'Corner radius of the card and of the controls in pixels.', example: 8 })
      .optional(),
    font: z
      .string()
      .max(100)
      .refine(
        (text) => text.split(',').every((family) => FONT_FAMILY.test(family.trim())),
        'must be a comma-separated list of font family names',
      )
      .meta({
        description:
          'Font families, preferred one first; `inherit` is the font of the page. Fonts that the page loads can be used; the form loads none.',
        example: 'Inter, sans-serif',
      })
      .optional(),
    density: z
      .enum(DENSITIES)
      .meta({ description: 'Spacing of the form. Default: comfortable.', example: 'compact' })
      .optional(),
    width: z
      .int()
      .min(240)
      .max(1200)
      .meta({ description: 'Maximum width of the form in pixels.', example: 560 })
      .optional(),
    logo: pictureUrl
      .meta({
        description: 'URL of the logo shown above the title.',
        example: 'https://www.example.com/logo.svg',
      })
      .optional(),
    cover: pictureUrl
      .meta({
        description: 'URL of the picture shown across the top of the form.',
        example: 'https://www.example.com/cover.jpg',
      })
      .optional(),
  })
  .meta({ id: 'Theme', description: 'Appearance of the form.' });
export type Theme = z.output<typeof Theme>;
