import { z } from 'zod';
import { idOut, timeOut } from './schema-parts.ts';

/** Body of POST /api/erasures. */
export const ErasureIn = z
  .strictObject({
    value: z.string().min(1, 'must not be empty').max(10_000).meta({
      description:
        'The exact value of a field: upper and lower case differ, and a part of a value does not count. A number is named by its text.',
      example: 'grace.hopper@example.org',
    }),
  })
  .meta({ id: 'ErasureIn', description: 'Whose data to erase.' });
export type ErasureIn = z.output<typeof ErasureIn>;

const ErasureEndpoint = z
  .object({
    kind: z
      .enum(['webhook', 'callback'])
      .meta({ description: 'A webhook of a form, or the callback of a task.', example: 'webhook' }),
    id: z.string().meta({
      description: 'Id of the webhook, or of the task whose callback it was.',
      example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    formId: idOut('frm', 'Form whose data it received.'),
    url: z.string().meta({
      description:
        'Where the data went, without query and fragment, and without a path that holds the value.',
      example: 'https://hooks.example/x',
    }),
    receivedAt: timeOut('When the data was last sent there, whether the endpoint responded or not.'),
  })
  .meta({ id: 'ErasureEndpoint', description: 'An endpoint that received the data before it was erased.' });

/** Response of POST /api/erasures, without the erased values. */
export const ErasureOut = z
  .object({
    erasedAt: timeOut('When it was erased.'),
    submissionIds: z
      .array(z.string())
      .meta({ description: 'Submissions that were erased.', example: ['sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'] }),
    taskIds: z
      .array(z.string())
      .meta({ description: 'Tasks that were erased.', example: ['tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'] }),
    deliveryIds: z.array(z.string()).meta({
      description: 'Deliveries whose body was erased.',
      example: ['del_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    }),
    endpoints: z.array(ErasureEndpoint).meta({
      description: 'Endpoints that the data had been sent to; ask their operators to erase it too.',
    }),
  })
  .meta({ id: 'Erasure', description: 'What an erasure found and erased.' });
export type ErasureOut = z.output<typeof ErasureOut>;
