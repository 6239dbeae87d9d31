import type { Popup } from './popup.ts';
import { SIMPLE_TRIGGERS, type SimpleTrigger } from './popup-rules.ts';
import { parseTriggers, type Condition } from './trigger-plan.ts';

/** The saved trigger and its parameters. */
export type TriggerSettings = Pick<
  Popup,
  'trigger' | 'delayMs' | 'scrollPercent' | 'intentLevel' | 'selector' | 'and'
>;

/** A part of a trigger string that can't be saved, from `start` to before `end`. */
export interface TriggerProblem {
  start: number;
  end: number;
  message: string;
}

const TAKES: Readonly<Record<SimpleTrigger, string>> = {
  exit: 'exit takes no parameter',
  delay: 'delay takes whole milliseconds up to 3600000: delay:8000',
  inactivity: 'inactivity takes whole milliseconds up to 3600000: inactivity:30000',
  scroll: 'scroll takes a percent from 0 to 100, without a sign: scroll:50',
  click: 'click takes a CSS selector: click:#buy',
  visible: 'visible takes a CSS selector: visible:.pricing',
  intent: 'intent takes warm, hot or nothing: intent:hot',
};

/**
 * Returns the trigger string for saved settings, with defaults; empty without a trigger.
 * docs/reference/triggers.md#trigger-strings
 */
export function triggerText(popup: TriggerSettings): string {
  const halves = popup.trigger === 'all' ? (popup.and ?? []) : [popup];
  return halves.map(conditionText).join('&');
}

function conditionText({
  trigger,
  delayMs = 5000,
  scrollPercent = 50,
  intentLevel,
  selector = '',
}: Partial<TriggerSettings>): string {
  switch (trigger) {
    case 'delay':
    case 'inactivity':
      return `${trigger}:${delayMs}`;
    case 'scroll':
      return `scroll:${scrollPercent}`;
    case 'click':
    case 'visible':
      return `${trigger}:${selector}`;
    case 'intent':
      return intentLevel ? `intent:${intentLevel}` : 'intent';
    case 'exit':
      return 'exit';
    default:
      return '';
  }
}

/**
 * Parses a trigger string that a form can save: one condition, or two joined by `&`. Lists and
 * longer chains are only for script tags. Otherwise returns the first problem, with its position in
 * the text.
 */
export function readTriggerText(text: string): { settings: TriggerSettings } | { problem: TriggerProblem } {
  const { plan, skipped, clamped } = parseTriggers(text);
  const hasMistake = skipped.length > 0 || clamped !== undefined;
  const [conditions = []] = plan;
  const [first, second] = conditions;
  if (plan.length === 1 && !hasMistake && first && conditions.length <= 2) {
    return { settings: second ? { trigger: 'all', and: [first, second] } : settingsOf(first) };
  }
  return { problem: problemOf(text, hasMistake) };
}

/** The default level is saved as an absent one. */
function settingsOf(condition: Condition): TriggerSettings {
  const { intentLevel, ...rest } = condition as TriggerSettings;
  return { ...rest, ...(intentLevel && { intentLevel }) };
}

function problemOf(text: string, hasMistake: boolean): TriggerProblem {
  const whole = { start: 0, end: text.length };
  if (text.trim() === '')
    return { ...whole, message: `is empty; triggers are ${SIMPLE_TRIGGERS.join(', ')}` };
  const pieces = piecesOf(text);
  if (hasMistake) {
    const wrong = pieces.find((piece) => isUnreadable(piece.text));
    return wrong
      ? { ...placeOf(wrong), message: whatIsWrong(wrong.text) }
      : { ...whole, message: whatIsWrong(text) };
  }
  const alternative = pieces.find(({ separator }) => separator === ',');
  if (alternative) {
    return {
      start: alternative.start,
      end: text.length,
      message: 'a form saves one alternative; put lists into data-svc-trigger of the script tag',
    };
  }
  return {
    start: pieces[2]?.start ?? 0,
    end: text.length,
    message: 'a form saves two conditions at most; put more into data-svc-trigger of the script tag',
  };
}

interface Piece {
  text: string;
  start: number;
  /** Before it. */
  separator: string;
}

const isUnreadable = (text: string) => {
  const { skipped, clamped } = parseTriggers(text);
  return text.trim() === '' || skipped.length > 0 || clamped !== undefined;
};
const isCondition = (text: string) => {
  const { plan, skipped } = parseTriggers(text);
  return !skipped.length && plan.length === 1 && plan[0]?.length === 1;
};

/**
 * Returns the conditions with their positions. A piece that belongs to the selector before it isn't
 * a condition.
 */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const found of text.matchAll(/(^|[,&])([^,&]*)/g)) {
    const [, separator = '', piece = ''] = found;
    const last = pieces.at(-1);
    if (last && isCondition(last.text + separator + piece)) {
      last.text += separator + piece;
    } else {
      pieces.push({ text: piece, separator, start: found.index + separator.length });
    }
  }
  return pieces;
}

/** Trims the range. */
function placeOf({ text, start }: Piece): { start: number; end: number } {
  const from = start + (text.length - text.trimStart().length);
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}

function whatIsWrong(piece: string): string {
  const [word = ''] = piece.trim().split(/\s*:/);
  const known = SIMPLE_TRIGGERS.find((trigger) => trigger === word);
  if (known) return TAKES[known];
  return word === ''
    ? `a trigger is missing here: ${SIMPLE_TRIGGERS.join(', ')}`
    : `“${word}” is no trigger; there are ${SIMPLE_TRIGGERS.join(', ')}`;
}
