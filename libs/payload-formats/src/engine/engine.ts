import type { PayloadError } from '@svcforms/contracts';
import { Context, Liquid, type Emitter, type Template } from 'liquidjs';
import { answersOf } from '../event/answers.ts';
import { parseEnvelope, titleOf, urlOf, type PayloadEvent } from '../event/payload-event.ts';
import { jsonText, plainText, restrict } from './filters.ts';
import { LIMITS, type Job, type Rendering } from './job.ts';
import { jsonError, positionOf } from './json-error.ts';

const MAX_CACHED = 50;

/**
 * Parses and renders templates. It runs in a process without files and environment, which is
 * killed if one of these limits doesn't hold. ADR 0070
 */
export function createEngine(): (job: Job) => Rendering | null {
  /** Renderings inside of each other: the body is the first, what a tag captures are others. */
  let depth = 0;
  let written = 0;
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    renderLimit: LIMITS.renderMs,
    memoryLimit: LIMITS.memoryUnits,
    // The same body on every machine.
    timezoneOffset: 0,
    locale: 'en-US',
    templates: {},
    // Captured text is escaped when it's written to the body.
    outputEscape: (value: unknown) => (depth > 1 ? plainText(value) : jsonText(value)),
  });
  restrict(liquid);
  const templates = new Map<string, Template[]>();

  class LimitedEmitter implements Emitter {
    buffer = '';
    write(html: unknown): void {
      const text = typeof html === 'string' ? html : jsonText(html);
      written += text.length;
      if (written > LIMITS.writtenUnits) throw new Error(TOO_LARGE);
      this.buffer += text;
    }
  }

  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = function* limited(parsed, context: Context, emitter?: Emitter) {
    if (emitter) return (yield* renderTemplates(parsed, context, emitter)) as unknown;
    depth += 1;
    try {
      return (yield* renderTemplates(parsed, context, new LimitedEmitter())) as unknown;
    } finally {
      depth -= 1;
    }
  };

  function parse(template: string): Template[] {
    const known = templates.get(template);
    if (known) return known;
    const parsed = liquid.parse(template);
    const [oldest] = templates.keys();
    if (templates.size >= MAX_CACHED && oldest !== undefined) templates.delete(oldest);
    templates.set(template, parsed);
    return parsed;
  }

  function render(template: string, event: PayloadEvent): Rendering {
    written = 0;
    const context = new EventContext(variablesOf(event), liquid.options, { sync: true }, { liquid });
    const body = String(liquid.renderSync(parse(template), context));
    if (Buffer.byteLength(body) > LIMITS.bodyBytes) return { error: { message: TOO_LARGE, in: 'template' } };
    const invalid = jsonError(body);
    if (!invalid) return { body };
    const message =
      body.trim() === '' ? 'the body is empty' : `the body isn’t JSON: expected ${invalid.expected}`;
    return { body, error: { message, in: 'body', ...positionOf(body, invalid.at) } };
  }

  return function run(job) {
    try {
      if (job.kind === 'render') return render(job.template, job.event);
      parse(job.template);
      return null;
    } catch (error) {
      return { error: templateError(error as Error) };
    }
  };
}

/**
 * In Liquid, `size` of an object without that key is its number of keys, which is wrong for a
 * missing field `size`.
 */
class EventContext extends Context {
  override readProperty(...[object, key]: Parameters<Context['readProperty']>): unknown {
    const isMissing = key === 'size' && isObject(object) && !Object.hasOwn(object, key);
    return isMissing ? undefined : (super.readProperty(object, key) as unknown);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TOO_LARGE = 'the body is larger than 1 MiB';

/**
 * The envelope, and what its receiver would otherwise look up. docs/reference/webhooks.md#variables
 */
function variablesOf(event: PayloadEvent): object {
  const envelope = parseEnvelope(event.body);
  const { id, type, taskId, deliveryId, form, formId, submissionId } = event;
  return {
    ...envelope,
    ...(submissionId === undefined ? {} : { submissionId }),
    ...(taskId === undefined ? {} : { taskId }),
    formId,
    event: { id, type, title: titleOf(event), url: urlOf(event), timestamp: envelope.timestamp },
    delivery: { id: deliveryId },
    form: { id: formId, name: form?.name ?? formId, title: form?.title ?? form?.name ?? formId },
    fields: [...answersOf(event, envelope)],
  };
}

interface LocatedError extends Error {
  originalError?: Error;
  token?: { getPosition(): [line: number, column: number] };
}

/**
 * The message of the engine, without its file and position: templates have no file, and the
 * position is separate.
 */
function templateError({ message, originalError, token }: LocatedError): PayloadError {
  const said = (originalError?.message ?? message).replace(/(, file:[^,]*)?, line:\d+, col:\d+$/, '');
  const [line, column] = token?.getPosition() ?? [];
  return {
    message: (PLAIN_MESSAGES[said] ?? said.replace(/^tag "(.*)" not found$/, 'there is no tag "$1"')).slice(
      0,
      300,
    ),
    in: 'template',
    ...(line === undefined || column === undefined ? {} : { line, column }),
  };
}

const PLAIN_MESSAGES: Readonly<Record<string, string>> = {
  'template render limit exceeded': `the template takes longer than ${LIMITS.renderMs} ms`,
  'memory alloc limit exceeded': 'the template needs too much memory',
  'Maximum call stack size exceeded': 'the template is nested too deeply',
  'Invalid string length': TOO_LARGE,
};
