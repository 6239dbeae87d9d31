import { escapeMrkdwn } from '@svcforms/primitives';
import { createHash } from 'node:crypto';
import { toValue, type FilterImplOptions, type Liquid } from 'liquidjs';
import { cutText } from '../presets/cut-text.ts';
import { escapeMarkdown } from '../presets/escape-text.ts';

/** The filters of the engine for texts. They get lists and objects as {@link plainText}. */
const OF_TEXTS = `
  append base64_encode capitalize downcase escape lstrip newline_to_br prepend remove remove_first
  replace replace_first rstrip split squish strip strip_html strip_newlines truncatewords upcase
`
  .trim()
  .split(/\s+/);

/**
 * The filters of the engine that templates may use. Missing are those that evaluate expressions,
 * that aren't the same on each attempt, and that nobody needs in a body.
 * docs/reference/webhooks.md#template-filters
 */
const KEPT = [
  ...OF_TEXTS,
  ...`
  abs at_least at_most ceil divided_by floor minus modulo plus round times compact concat find first
  has join last map reject reverse size slice sort sort_natural sum uniq where date default raw
`.split(/\s+/),
];

/**
 * `include`, `render` and `layout` would read files, and `echo`, `liquid` and `cycle` write without
 * escaping.
 */
const KEPT_TAGS = '# assign break capture case comment continue for if raw unless'.split(' ');

export function restrict(liquid: Liquid): void {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (!KEPT.includes(name)) delete liquid.filters[name];
    else if (OF_TEXTS.includes(name)) liquid.registerFilter(name, convertingInput(filter, asText));
    else if (name === 'join') liquid.registerFilter(name, convertingInput(filter, asTexts));
    else if (name === 'date') liquid.registerFilter(name, atTimeOfEvent(filter));
  }
  for (const name of Object.keys(liquid.tags)) if (!KEPT_TAGS.includes(name)) delete liquid.tags[name];
  for (const [name, filter] of Object.entries(OWN_FILTERS)) liquid.registerFilter(name, filter);
}

/**
 * A filter of the engine that converts its value before, and writes lists and objects among its
 * arguments as text.
 */
function convertingInput(filter: FilterImplOptions, convert: (value: unknown) => unknown): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  return function (value: unknown, ...args: unknown[]): unknown {
    return handler.call(this, convert(value), ...args.map(asText));
  };
}

/**
 * The engine's `now` and `today` are the time of the attempt, but each attempt sends the same body.
 * A visitor may submit these words, too.
 */
function atTimeOfEvent(filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  return function (value: unknown, ...args: unknown[]): unknown {
    const { timestamp } = this.context.environments as { timestamp: string };
    return handler.call(this, value === 'now' || value === 'today' ? timestamp : value, ...args);
  };
}

const OWN_FILTERS: Readonly<Record<string, FilterImplOptions>> = {
  // A whole JSON value, so it isn't escaped again.
  json: { raw: true, handler: (value: unknown) => JSON.stringify(toValue(value) ?? null) },
  // The filter of the engine may cut through a character.
  truncate: (value: unknown, max: unknown = 50) =>
    cutText(plainText(value), Math.max(Math.floor(Number(max)) || 1, 1)),
  // The filter of the engine's build for browsers returns a promise, and bodies are rendered
  // synchronously.
  sha256: (value: unknown) => createHash('sha256').update(plainText(value)).digest('hex'),
  slack_escape: (value: unknown) => escapeMrkdwn(plainText(value)),
  markdown_escape: (value: unknown) => escapeMarkdown(plainText(value)),
  // Those of the engine throw errors for texts that anybody can submit.
  url_encode: (value: unknown) => encodeUrlPart(plainText(value)),
  url_decode: (value: unknown) => decodeUrlPart(plainText(value)),
};

/** Half of a surrogate pair has no encoding, and becomes U+FFFD. */
const encodeUrlPart = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString()).replaceAll('%20', '+');

/** Text that isn't encoded, such as `100%`, stays as it is. */
function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * A value inside of a text: lists with commas, objects as JSON, and nothing for what is missing.
 */
export function plainText(given: unknown): string {
  // `nil`, `empty` and `blank` are objects of the engine.
  const value = toValue(given) as unknown;
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value as number | boolean);
}

/** The engine joins lists without commas, and writes objects as `[object Object]`. */
const asText = (value: unknown): unknown => (typeof value === 'object' ? plainText(value) : value);
const asTexts = (value: unknown): unknown => (Array.isArray(value) ? value.map(asText) : asText(value));

/** The text between the quotes of a JSON string. */
export const jsonText = (value: unknown): string => JSON.stringify(plainText(value)).slice(1, -1);
