import { z } from 'zod';
import { refuseProtoKey } from '../api/schema-parts.ts';

/** The most custom headers of a webhook. */
const MAX_HEADERS = 20;
const MAX_NAME = 100;
const MAX_VALUE = 4096;
/**
 * With ours, the headers of a request stay below 8 KiB, the limit of the strictest common servers.
 */
const MAX_TOTAL = 6144;
/** Shorter values show nothing of themselves: at least eight characters of a value stay hidden. */
const MIN_SHOWN = 12;

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, with spaces and tabs only between other characters. RFC 9110, 5.5 */
const VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;

/** Headers that SvcForms sends, that describe the body, or that belong to the connection. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'traceparent',
  'tracestate',
  'upgrade',
  'user-agent',
]);
const RESERVED_PREFIXES = ['proxy-', 'svc-', 'webhook-'];

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

const headerName = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .regex(TOKEN, "must contain only letters, digits and !#$%&'*+-.^_`|~");
const headerValue = z
  .string()
  .min(1)
  .max(MAX_VALUE)
  .regex(VALUE, 'must contain only visible ASCII characters, with spaces or tabs only between them');

/** Which limits the custom headers of a webhook exceed together. */
export function exceededHeaderLimits(headers: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(headers);
  const total = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return [
    ...(entries.length > MAX_HEADERS ? [`must have at most ${MAX_HEADERS} headers`] : []),
    ...(total > MAX_TOTAL ? [`must have at most ${MAX_TOTAL} characters, names and values together`] : []),
  ];
}

function refuseHeaders(headers: Readonly<Record<string, string | null>>, context: z.RefinementCtx): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const names = new Map<string, string>();
  for (const name of Object.keys(headers)) {
    const key = name.toLowerCase();
    const earlier = names.get(key);
    if (earlier !== undefined) refuse([name], `is the same header as ${earlier}`);
    else if (isReserved(key)) refuse([name], 'is set by SvcForms or by the connection; use another name');
    names.set(key, name);
  }
  const set = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const message of exceededHeaderLimits(Object.fromEntries(set))) refuse([], message);
}

const EXAMPLE = { 'X-Api-Key': 'k3y-0f-th3-3ndp01nt' };

/** Custom headers of a new webhook. See docs/reference/webhooks.md#custom-headers. */
export const headersIn = z
  .preprocess(refuseProtoKey, z.record(headerName, headerValue).superRefine(refuseHeaders))
  .meta({
    description: `Headers to send with each request besides those of SvcForms, at most ${MAX_HEADERS}. No response contains the values.`,
    example: EXAMPLE,
  });

/**
 * Changes to custom headers: a value sets a header, `null` removes it. `null` for all removes all.
 */
export const headersPatch = z
  .preprocess(
    refuseProtoKey,
    z.record(headerName, headerValue.nullable()).superRefine(refuseHeaders).nullable(),
  )
  .meta({
    description:
      'Headers to set; null as a value removes a header, and others stay. null for the whole property removes all.',
    example: EXAMPLE,
  });

const HeaderOut = z
  .object({
    name: z.string().meta({ description: 'Name of the header.', example: 'X-Api-Key' }),
    last4: z
      .string()
      .nullable()
      .meta({
        description: `Last four characters of the value, to tell values apart; null if it has fewer than ${MIN_SHOWN}.`,
        example: '01nt',
      }),
  })
  .meta({ id: 'WebhookHeader', description: 'A custom header of a webhook, without its value.' });
export type HeaderOut = z.output<typeof HeaderOut>;

export const headersOut = z
  .array(HeaderOut)
  .meta({ description: 'Custom headers. Only requests to the endpoint contain their values.' });

/** A header as responses show it. */
export const headerOut = (name: string, value: string): HeaderOut => ({
  name,
  last4: value.length < MIN_SHOWN ? null : value.slice(-4),
});
