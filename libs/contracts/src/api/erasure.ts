import { z } from 'zod';
import { idOut, timeOut } from './schema-parts.ts';

/** Request body of POST /api/erasures. */
export const ErasureIn = z
  .strictObject({
    value: z.string().min(1, 'must not be empty').max(10_000).meta({
      description:
        'Exact value of a field, case-sensitive; parts of a value do not match. Write a number as text.',
      example: 'grace.hopper@example.org',
    }),
  })
  .meta({ id: 'ErasureIn', description: 'Whose data to erase.' });
export type ErasureIn = z.output<typeof ErasureIn>;

const ErasureEndpoint = z
  .object({
    kind: z
      .enum(['webhook', 'callback'])
      .meta({ description: 'Webhook of a form, or callback of a task.', example: 'webhook' }),
    id: z.string().meta({
      description: 'Id of the webhook, or of the task with the callback.',
      example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    formId: idOut('frm', 'Form whose data the endpoint received.'),
    url: z.string().meta({
      description:
        'URL that received the data, without query and fragment, and without its path if that contains the value. It may be a former URL of the webhook.',
      example: 'https://hooks.example/x',
    }),
    receivedAt: timeOut('When the data was last sent there, whether the endpoint responded or not.'),
  })
  .meta({ id: 'ErasureEndpoint', description: 'An endpoint that received the data before it was erased.' });

/** Response data of POST /api/erasures. It doesn't repeat the erased value. */
export const ErasureOut = z
  .object({
    erasedAt: timeOut('When the data was erased.'),
    submissionIds: z
      .array(z.string())
      .meta({ description: 'Ids of the erased submissions.', example: ['sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'] }),
    taskIds: z
      .array(z.string())
      .meta({ description: 'Ids of the erased tasks.', example: ['tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'] }),
    deliveryIds: z.array(z.string()).meta({
      description: 'Ids of the deliveries whose body was erased.',
      example: ['del_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    }),
    endpoints: z.array(ErasureEndpoint).meta({
      description:
        'Endpoints that received the data; ask their operators to erase it too. Webhooks are known from their deliveries: for 30 days, and while the webhook exists. A webhook is listed once for each URL that received the data.',
    }),
  })
  .meta({ id: 'Erasure', description: 'What an erasure found and erased.' });
export type ErasureOut = z.output<typeof ErasureOut>;
