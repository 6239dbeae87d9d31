import type { Popup } from './popup.ts';

/** One trigger with the one parameter that it reads. */
export type Condition =
  | { trigger: 'exit' }
  | { trigger: 'delay' | 'inactivity'; delayMs: number }
  | { trigger: 'scroll'; scrollPercent: number }
  | { trigger: 'click' | 'visible'; selector: string }
  | { trigger: 'intent'; intentLevel?: 'warm' | 'hot' | undefined };

/** Alternatives, each of which is a list of conditions that must all be met. */
export type TriggerPlan = Condition[][];

/** A trigger's name with an optional parameter. `delay-box` isn't a trigger but an element. */
const PIECE = /^(exit|delay|inactivity|scroll|click|visible|intent)\b(?!-)(?:\s*:\s*([^]+))?/;
const SELECTOR = /^(click|visible)\s*:/;
/** Much longer delays overflow the timers of browsers, which then fire immediately. */
const MAX_DELAY_MS = 3_600_000;
/** Escapes, quoted texts, and single characters. */
const TOKEN = /\\[^]|"(\\[^]|[^"])*"?|'(\\[^]|[^'])*'?|[^]/g;

/**
 * Parses a trigger string, from the display settings or `data-svc-trigger`. A comma separates
 * alternatives, `&` joins conditions and binds tighter; both only count outside quotes and
 * brackets. A piece that doesn't start with a trigger's name belongs to the selector before it.
 * Invalid alternatives are returned in `skipped`. Delays of more than an hour are shortened to an
 * hour, and `clamped` lists their conditions. docs/reference/triggers.md#trigger-strings
 */
export function parseTriggers(text: string): {
  plan: TriggerPlan;
  skipped: string[];
  clamped?: string[] | undefined;
} {
  const alternatives: string[][] = [];
  let pieces: string[] = [];
  let piece = '';
  let separator = ',';
  let depth = 0;

  const take = () => {
    piece = piece.trim();
    const before = pieces[pieces.length - 1] ?? '';
    if (piece && SELECTOR.test(before) && !PIECE.test(piece)) {
      pieces[pieces.length - 1] = `${before}${separator} ${piece}`;
    } else {
      if (separator === ',') alternatives.push((pieces = []));
      pieces.push(piece);
    }
    piece = '';
  };
  for (const [token] of text.matchAll(TOKEN)) {
    if (!depth && /^[,&]$/.test(token)) {
      take();
      separator = token;
    } else {
      piece += token;
      if (/^[[(]/.test(token)) depth++;
      else if (depth && /^[\])]/.test(token)) depth--;
    }
  }
  take();

  const plan: TriggerPlan = [];
  const skipped: string[] = [];
  const clamped: string[] = [];
  for (const alternative of alternatives) {
    const conditions = alternative.map((part) => readCondition(part, clamped));
    if (conditions.every(Boolean)) plan.push(conditions as Condition[]);
    else if (text.trim()) skipped.push(alternative.join('&'));
  }
  return { plan, skipped, clamped: clamped.length ? clamped : undefined };
}

function readCondition(piece: string, clamped: string[]): Condition | false | undefined {
  if (piece === 'exit' || piece === 'intent') return { trigger: piece };
  const [, trigger, value = ''] = PIECE.exec(piece) ?? [];
  switch (trigger) {
    case 'delay':
    case 'inactivity':
      if (!/^\d+$/.test(value)) return false;
      if (+value > MAX_DELAY_MS) clamped.push(piece);
      return { trigger, delayMs: Math.min(+value, MAX_DELAY_MS) };
    case 'scroll':
      return /^[\d.]+$/.test(value) && +value <= 100 && { trigger, scrollPercent: +value };
    case 'click':
    case 'visible':
      return !!value && { trigger, selector: value };
    case 'intent':
      return /^(warm|hot)$/.test(value) && { trigger, intentLevel: value as 'warm' | 'hot' };
  }
  return undefined;
}

type Parameters = Partial<Pick<Popup, 'trigger' | 'delayMs' | 'scrollPercent' | 'intentLevel' | 'selector'>>;

/** Returns the plan of saved settings, with defaults. docs/reference/popups.md#popup-settings */
export function savedTriggers(popup: Popup): TriggerPlan {
  const halves: readonly Parameters[] = popup.trigger === 'all' ? (popup.and ?? []) : [popup];
  const plan = halves.map((half) => ({ delayMs: 5000, scrollPercent: 50, ...half }) as Condition);
  const isComplete = plan.every(
    (half) => half.trigger && (!/click|visible/.test(half.trigger) || 'selector' in half),
  );
  return plan.length && isComplete ? [plan] : [];
}
