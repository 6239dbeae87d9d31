import type { PayloadError, PayloadFormat, WebhookPayload } from '@svcforms/contracts';
import type { Rendering } from './engine/job.ts';
import type { PayloadEvent, PayloadForm } from './event/payload-event.ts';
import { discordMessage } from './presets/discord.ts';
import { googleChatMessage } from './presets/google-chat.ts';
import { slackMessage } from './presets/slack.ts';
import { teamsMessage } from './presets/teams.ts';
import { templateProgram } from './template/program.ts';
import { createTemplateProcesses, type TemplateProcesses } from './template/template-processes.ts';

/** Makes the bodies of webhooks with a payload format. */
export interface PayloadRenderer {
  /** Why a template can't be parsed; `null` if it can. */
  check(template: string, accountId: string): Promise<PayloadError | null>;
  /** Rejects only after `stop`. */
  render(payload: WebhookPayload, event: PayloadEvent & { accountId: string }): Promise<Rendering>;
  /** Running templates are abandoned. */
  stop(): Promise<void>;
}

/** `templateProcesses`: the most at once. None is started before the first template. */
export function createPayloadRenderer({ templateProcesses }: { templateProcesses: number }): PayloadRenderer {
  let processes: TemplateProcesses | undefined;
  const open = () =>
    (processes ??= createTemplateProcesses({ program: templateProgram(), count: templateProcesses }));

  return {
    async check(template, accountId) {
      return (await open().run({ kind: 'check', template }, accountId))?.error ?? null;
    },

    async render({ format, template }, { accountId, ...event }) {
      if (format === 'template') {
        const form = event.form && trimmed(event.form);
        const job = { kind: 'render', template: template ?? '', event: { ...event, form } } as const;
        return (
          (await open().run(job, accountId)) ?? { error: { message: 'nothing was rendered', in: 'template' } }
        );
      }
      if (format === 'envelope') return { body: event.body };
      try {
        return { body: BODIES[format](event) };
      } catch {
        return { error: { message: `the event can’t be shown in the format ${format}`, in: 'body' } };
      }
    },

    stop: async () => processes?.stop(),
  };
}

/** Only what templates can use goes to the process. */
const trimmed = ({ name, title, fields }: PayloadForm): PayloadForm => ({ name, title, fields });

const BODIES: Readonly<
  Record<Exclude<PayloadFormat, 'envelope' | 'template'>, (event: PayloadEvent) => string>
> = {
  data: dataOf,
  slack: (event) => JSON.stringify(slackMessage(event)),
  discord: (event) => JSON.stringify(discordMessage(event)),
  teams: (event) => JSON.stringify(teamsMessage(event)),
  'google-chat': (event) => JSON.stringify(googleChatMessage(event)),
};

/** Cut out as text, so that submitted values keep their bytes. */
function dataOf({ body, type }: PayloadEvent): string {
  // What precedes `data` are ids and times, and what follows it in the events of submissions has
  // only our own keys.
  const start = body.indexOf('"data":') + '"data":'.length;
  const isSubmission = type === 'form.submission.new' || type === 'submission.created';
  return body.slice(start, isSubmission ? body.lastIndexOf(',"metadata":') : -1);
}
