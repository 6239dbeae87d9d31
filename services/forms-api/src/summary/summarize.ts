import { parseUrl } from '@svcforms/primitives';
import { isEmpty, type FieldSummary, type FormField, type FormSummaryOut } from '@svcforms/contracts';
import type { SubmissionRecord } from '@svcforms/records';

const MAX_CHOICES = 50;
const MAX_PAGES = 20;
/** Distinct values and pages beyond this aren't counted, so that memory stays small. */
const MAX_DISTINCT = 1_000;

const CHOICES: readonly FormField['type'][] = [
  'select',
  'radio',
  'checkboxes',
  'checkbox',
  'consent',
  'rating',
];
const NUMBERS: readonly FormField['type'][] = ['number', 'rating'];

type Counts = Map<string, number>;
type Device = FormSummaryOut['devices'][number]['device'];

/** Collects submissions and returns their summary. */
export function createSummary(fields: readonly FormField[]) {
  const summarized = fields.filter(({ type }) => CHOICES.includes(type) || NUMBERS.includes(type));
  const collected = new Map(
    summarized.map(({ name }) => [
      name,
      { answered: 0, choices: new Map() as Counts, numbers: [] as number[] },
    ]),
  );
  const pages: Counts = new Map();
  const devices: Counts = new Map();
  let submissions = 0;

  return {
    add({ data, metadata }: Pick<SubmissionRecord, 'data' | 'metadata'>): void {
      submissions += 1;
      const values = JSON.parse(data) as Record<string, unknown>;
      for (const { name, type } of summarized) {
        const own = collected.get(name);
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (!own || isEmpty(value)) continue;
        own.answered += 1;
        if (CHOICES.includes(type)) for (const choice of choicesIn(value)) increment(own.choices, choice);
        if (NUMBERS.includes(type) && typeof value === 'number') own.numbers.push(value);
      }
      const page = pageOf(metadata.page);
      if (page !== undefined) increment(pages, page);
      if (metadata.userAgent !== undefined) increment(devices, deviceOf(metadata.userAgent));
    },

    /** `isComplete`: whether all submissions of the period were added. */
    result: (isComplete: boolean): FormSummaryOut => ({
      submissions,
      isComplete,
      fields: summarized.flatMap((field): FieldSummary[] => {
        const own = collected.get(field.name);
        if (!own) return [];
        const { answered, choices, numbers } = own;
        return [
          {
            name: field.name,
            answered,
            ...(CHOICES.includes(field.type) && {
              choices: top(choices, MAX_CHOICES).map(([value, count]) => ({ value, count })),
            }),
            ...(numbers.length > 0 && { numbers: statisticsOf(numbers) }),
            ...(isNps(field) && numbers.length > 0 && { nps: npsOf(numbers) }),
          },
        ];
      }),
      pages: top(pages, MAX_PAGES).map(([page, count]) => ({ page, count })),
      devices: top(devices, 3).map(([device, count]) => ({ device: device as Device, count })),
    }),
  };
}

function choicesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null && 'accepted' in value) return [String(value.accepted)];
  return [value]
    .flat()
    .flatMap((one: unknown) =>
      typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [String(one)] : [],
    );
}

function increment(counts: Counts, key: string): void {
  if (counts.size < MAX_DISTINCT || counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The most frequent texts first; those of the same count in the order of their characters. */
function top(counts: Counts, max: number): [string, number][] {
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, max);
}

/** Two decimals, or two digits of a number that would have fewer. Larger ones have no decimals. */
function rounded(value: number): number {
  const size = Math.abs(value);
  if (size < 0.1) return Number(value.toPrecision(2));
  // The largest would become infinite.
  return size < Number.MAX_SAFE_INTEGER ? Math.round(value * 100) / 100 : value;
}

function statisticsOf(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return {
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    mean: rounded(meanOf(sorted)),
    median: rounded(meanOf([low, high])),
  };
}

function meanOf(numbers: readonly number[]): number {
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / numbers.length;
  return numbers.reduce((mean, value) => mean + value / numbers.length, 0);
}

/** The scale of the Net Promoter Score. */
const isNps = ({ type, min, max }: FormField) => type === 'rating' && min === 0 && max === 10;

function npsOf(numbers: readonly number[]) {
  const promoters = numbers.filter((value) => value >= 9).length;
  const detractors = numbers.filter((value) => value <= 6).length;
  return {
    score: Math.round(((promoters - detractors) / numbers.length) * 100),
    promoters,
    passives: numbers.length - promoters - detractors,
    detractors,
  };
}

/** Without query and fragment, which may name the visitor. */
function pageOf(page: string | undefined): string | undefined {
  const url = page === undefined ? null : parseUrl(page);
  if (!url) return undefined;
  const { origin, pathname } = url;
  return origin === 'null' ? undefined : origin + pathname;
}

function deviceOf(userAgent: string): Device {
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet';
  return /Mobi|iPhone|iPod/i.test(userAgent) ? 'phone' : 'desktop';
}
