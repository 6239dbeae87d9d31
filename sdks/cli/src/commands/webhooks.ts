import { path } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { Failure } from '../failure.ts';
import { printable } from '../screen.ts';
import { isOn, onlyArg, text, type Command } from './command.ts';

interface TestResult {
  delivered: boolean;
  status?: number | null;
  durationMs: number;
  error?: string | null;
  message?: string;
  passesFilter?: boolean;
}

export const webhooksTest: Command = {
  name: 'webhooks test',
  args: '<webhook>',
  summary: 'Send a test event to a webhook and show the response',
  options: {
    form: { type: 'string', value: 'form', help: 'The form of the webhook; not for account webhooks' },
    event: {
      type: 'string',
      short: 'e',
      value: 'type',
      help: 'The event type (default: the first subscribed)',
    },
    json: { type: 'boolean', help: 'Print the result as JSON' },
  },
  async run(invocation) {
    const { screen } = invocation;
    const webhook = onlyArg(invocation, 'The id of the webhook');
    const form = text(invocation, 'form');
    const eventType = text(invocation, 'event');
    const url =
      form === undefined
        ? path`/api/webhooks/${webhook}/test`
        : path`/api/forms/${form}/webhooks/${webhook}/test`;
    const sending = invocation.api().post<TestResult>(url, eventType === undefined ? {} : { eventType });
    const result = await sending.catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404 || form !== undefined) throw error;
      throw new Failure(`There is no account webhook ${webhook}; for a webhook of a form, add --form frm_….`);
    });
    const { delivered, status, durationMs, error, message, passesFilter } = result;
    if (isOn(invocation, 'json')) screen.print(JSON.stringify(result));
    else {
      const outcome = delivered ? screen.colored('green', 'Delivered') : screen.colored('red', 'Failed');
      const reason = [status ?? undefined, error ?? undefined, message].filter(Boolean).join(', ');
      screen.print(`${outcome}: ${printable(reason) || 'no response'} after ${durationMs} ms`);
      if (passesFilter === false) screen.print('The filter of the webhook would exclude this event.');
    }
    return delivered ? 0 : 1;
  },
};
