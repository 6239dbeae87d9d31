import { readEventStream } from '../api/event-stream.ts';
import { connectionNotes } from '../listen/listen.ts';
import { eventTypes, isOn, startPosition, type Command } from './command.ts';

interface TailedEvent {
  timestamp: string;
  submissionId?: string;
  data: { taskId?: string; formId?: string; templateId?: string; submissionId?: string };
}

export const eventsTail: Command = {
  name: 'events tail',
  args: '',
  summary: 'Show events as they happen',
  options: {
    events: {
      type: 'string',
      short: 'e',
      value: 'types',
      help: "Event types and patterns, separated by commas: 'form.*' (default: *)",
    },
    from: { type: 'string', value: 'position', help: 'Start at oldest or after a position (default: now)' },
    json: { type: 'boolean', help: 'Print each event as one line of JSON, with its values' },
  },
  endsOrderly: true,
  async run(invocation) {
    const { screen, signal } = invocation;
    const from = startPosition(invocation);
    const events = eventTypes(invocation);
    const api = invocation.api();
    const isJson = isOn(invocation, 'json');
    const stream = readEventStream(api, {
      events,
      after: from === 'now' ? undefined : from,
      signal,
      onConnection: connectionNotes(screen, api.baseUrl),
    });
    for await (const item of stream) {
      if (item.kind === 'position') continue;
      if (item.type === 'stream.reset') {
        if (from !== 'oldest') screen.note('Earlier events are no longer in the log.');
        continue;
      }
      if (isJson) {
        screen.print(JSON.stringify({ position: item.position, ...(JSON.parse(item.data) as object) }));
        continue;
      }
      const { timestamp, submissionId, data } = JSON.parse(item.data) as TailedEvent;
      const ids = [data.taskId, data.submissionId ?? submissionId, data.formId ?? data.templateId];
      screen.print(
        [screen.colored('dim', timestamp), item.type.padEnd(20), ...ids.filter(Boolean)].join('  '),
      );
    }
    return 0;
  },
};
