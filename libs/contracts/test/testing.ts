import fc from 'fast-check';
import { BLOCK_TYPES, CHOICE_TYPES, FIELD_TYPES } from '../src/forms/field-types.ts';
import { checkPlacement, PLACEMENTS, POSITIONS } from '../src/forms/placement.ts';
import { SIMPLE_TRIGGERS, TRIGGERS } from '../src/popup/popup-rules.ts';

const visibleName = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== '');

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const condition = fc.oneof(
  ...SIMPLE_TRIGGERS.map((trigger) =>
    fc.constant(trigger === 'click' || trigger === 'visible' ? { trigger, selector: '.a' } : { trigger }),
  ),
);
const paths = fc.array(fc.string({ unit: 'grapheme', maxLength: 250 }), { maxLength: 25 });
const popup = fc.record(
  {
    enabled: fc.boolean(),
    trigger: fc.constantFrom(...TRIGGERS),
    delayMs: fc.option(fc.nat(3_600_000)),
    scrollPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map((percent) => percent + 0)),
    intentLevel: fc.option(fc.constantFrom('warm', 'hot')),
    selector: fc.option(text),
    and: fc.option(fc.tuple(condition, condition)),
    exitSensitivityPx: fc.nat(1000),
    devices: fc.constantFrom('all', 'desktop', 'mobile'),
    pages: fc.record({ include: paths, exclude: paths }, { requiredKeys: [] }),
    maxShows: fc.integer({ min: 1, max: 1000 }),
    decline: fc.record({ enabled: fc.boolean(), text }, { requiredKeys: [] }),
    trackingConsent: fc.record(
      { cookie: text, consentMode: fc.oneof(fc.constant(true), text) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const field = fc.record({
  type: fc.constantFrom(...FIELD_TYPES),
  label: optional(text),
  required: optional(fc.boolean()),
  values: fc.uniqueArray(text, { minLength: 1 }),
  minLength: optional(fc.nat(5)),
});
/**
 * Generates form definitions that are valid in requests, including popup parameters that the
 * trigger doesn't use.
 */
export const anyForm = fc.record({
  name: visibleName,
  description: optional(text),
  title: optional(visibleName),
  intro: optional(fc.constantFrom('', 'See [us](https://example.com)')),
  fields: fc.array(field).map((fields) =>
    fields.map(({ values, ...rest }, index) => ({
      name: `f${index}`,
      ...rest,
      ...(/^(consent|heading|paragraph)$/.test(rest.type) && { label: 'Text' }),
      ...(rest.type === 'image' && { src: 'https://example.com/a.png' }),
      ...(CHOICE_TYPES.includes(rest.type) && { options: values.map((value) => ({ value })) }),
      ...(index > 0 &&
        !BLOCK_TYPES.includes(fields[0]?.type ?? 'text') && { showIf: { field: 'f0', equals: index } }),
    })),
  ),
  settings: optional(
    fc
      .record(
        {
          popup,
          placement: fc.constantFrom(...PLACEMENTS),
          position: fc.constantFrom(...POSITIONS),
          theme: fc.record(
            {
              accent: fc.constantFrom('#1a73e8', 'rgb(1, 2, 3)'),
              radius: fc.nat(48),
              font: fc.constant('Inter, serif'),
            },
            { requiredKeys: [] },
          ),
          submitLabel: text,
          thankYou: fc.record({ title: text, message: text }, { requiredKeys: [] }),
          notifications: fc.record({ emails: fc.array(fc.constant('a@example.com'), { maxLength: 10 }) }),
          metadata: fc.record(
            { includeIp: fc.boolean(), includeUserAgent: fc.boolean() },
            { requiredKeys: [] },
          ),
          tasks: fc.record({ emitSubmissionEvents: fc.boolean() }),
          allowedOrigins: fc.array(fc.webUrl({ withFragments: false }).map((url) => new URL(url).origin)),
        },
        { requiredKeys: [] },
      )
      .map(({ placement, position, ...settings }) => {
        const placed = { placement, position, popup: settings.popup as { enabled?: boolean } };
        return checkPlacement(placed).length > 0 ? settings : { ...settings, placement, position };
      }),
  ),
});
