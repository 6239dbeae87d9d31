import { z } from 'zod';

/** Unknown and repeated tags are no errors, because visitors follow links that others wrote. */
const tags = z.union([z.string(), z.array(z.string())]);

/** Query of the public data of a form. */
export const EmbedQuery = z
  .object({
    lang: tags
      .meta({ description: 'Language of the texts (BCP 47). Default: that of the form.', example: 'de' })
      .optional(),
  })
  .meta({ description: 'Query of the public data of a form.' });

/** Query of the hosted page. The prefix keeps it apart from the names of fields. */
export const HostedQuery = z
  .object({
    'svc-lang': tags
      .meta({
        description: 'Language of the page (BCP 47). Default: the preferred one in `Accept-Language`.',
        example: 'de',
      })
      .optional(),
  })
  .meta({ description: 'Query of the hosted page.' });
