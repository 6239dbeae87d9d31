import { path } from '../api/api.ts';
import { ConnectionError } from '../api/api-error.ts';
import { usageFailure } from '../failure.ts';
import { onlyArg, text, type Command } from './command.ts';
import { writeOutput } from './output-file.ts';

const CONTENT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

export const submissionsExport: Command = {
  name: 'submissions export',
  args: '<form>',
  summary: 'Write the submissions of a form as CSV or NDJSON',
  options: {
    format: { type: 'string', value: 'format', help: 'csv (default) or ndjson' },
    output: { type: 'string', short: 'o', value: 'file', help: 'The file (default: stdout)' },
    since: { type: 'string', value: 'time', help: 'Arrived at or after this time (ISO 8601)' },
    until: { type: 'string', value: 'time', help: 'Arrived before this time (ISO 8601)' },
    via: { type: 'string', value: 'source', help: 'Only those from web, inbound or task' },
    status: { type: 'string', value: 'status', help: 'accepted (default) or quarantined' },
    search: {
      type: 'string',
      short: 'q',
      value: 'text',
      help: 'Only those with a value that contains the text',
    },
  },
  endsOrderly: true,
  async run(invocation) {
    const { screen, signal } = invocation;
    const form = onlyArg(invocation, 'The id of the form');
    const format = text(invocation, 'format') ?? 'csv';
    if (format !== 'csv' && format !== 'ndjson') throw usageFailure('--format must be csv or ndjson.');
    const [since, until, via, status, q] = ['since', 'until', 'via', 'status', 'search'].map((name) =>
      text(invocation, name),
    );
    const api = invocation.api();
    const response = await api.open(path`/api/forms/${form}/submissions/export`, {
      accept: CONTENT_TYPES[format],
      query: { format, since, until, via, status, q },
      signal,
    });
    await writeOutput(text(invocation, 'output'), chunksOf(response, api.baseUrl), screen);
    return 0;
  },
};

async function* chunksOf({ body }: Response, baseUrl: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw new ConnectionError(baseUrl, error);
  }
}
