import type { StatsOut } from '@svcforms/contracts';
import { formTexts } from '../../../texts/form.ts';

const texts = formTexts.overview;

/** The counts of a day. */
const COUNTS = ['viewed', 'shown', 'converted', 'declined', 'submissions'] as const;
export type Count = (typeof COUNTS)[number];
/** `submitted`: the submissions after views. */
export type Totals = Record<Count | 'submitted', number>;

export function totalsOf(days: StatsOut): Totals {
  const sum = (count: Count) => days.reduce((total, day) => total + (day[count] ?? 0), 0);
  return {
    viewed: sum('viewed'),
    shown: sum('shown'),
    converted: sum('converted'),
    declined: sum('declined'),
    submissions: sum('submissions'),
    // Older versions counted only views, and stored submissions can also come from elsewhere.
    submitted: days.reduce(
      (total, { viewed = 0, submissions, submitted = Math.min(viewed, submissions) }) => total + submitted,
      0,
    ),
  };
}

/** Counts of popups, and of forms in pages and hosted pages. */
const OF_POPUPS: readonly Count[] = ['shown', 'converted', 'declined'];
const OF_INLINE: readonly Count[] = ['viewed'];

/**
 * The counts that a form can have in its display mode, or has had in these days; all of them before
 * anything is counted.
 */
export function countsOf(isPopup: boolean, days: StatsOut): Count[] {
  const totals = totalsOf(days);
  if (COUNTS.every((count) => totals[count] === 0)) return [...COUNTS];
  const others = isPopup ? OF_INLINE : OF_POPUPS;
  return COUNTS.filter((count) => totals[count] > 0 || !others.includes(count));
}

/**
 * Conversions per impression of a popup, or else submissions per view of the form in the page, from
 * 0 to 1; `null` without both.
 */
export function conversionRate({
  shown,
  converted,
  viewed,
  submitted,
}: Pick<Totals, 'shown' | 'converted' | 'viewed' | 'submitted'>): number | null {
  if (shown > 0) return Math.min(1, converted / shown);
  return viewed === 0 ? null : Math.min(1, submitted / viewed);
}

/** A rate as a percentage with one decimal. */
export const rateText = (rate: number | null): string =>
  rate === null ? texts.noRate : `${(rate * 100).toFixed(1)}%`;

/** How a count differs from that of the period before. */
export function countChange(count: number, before: number): string {
  if (count === before) return texts.same;
  if (before === 0) return texts.noneBefore;
  const percent = Math.round((Math.abs(count - before) / before) * 100).toLocaleString('en');
  return texts.change(count > before, `${percent}%`, before.toLocaleString('en'));
}

/**
 * How a rate differs from that of the period before, in percentage points. `counts` are the counts
 * beside it.
 */
export function rateChange(rate: number | null, before: number | null, counts: readonly Count[]): string {
  const [isOfShown, isOfViewed] = [counts.includes('shown'), counts.includes('viewed')];
  const counted = texts.rateOf[isOfShown ? (isOfViewed ? 'both' : 'shown') : 'viewed'];
  if (rate === null) return (before === null ? texts.noRates : texts.noRateNow)(counted);
  if (before === null) return texts.noRateBefore(counted);
  const points = Math.abs(rate - before) * 100;
  if (points < 0.05) return texts.same;
  return texts.change(rate > before, texts.points(points.toFixed(1)), rateText(before));
}
