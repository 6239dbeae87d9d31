import { withSeconds } from '../api/text-formats.ts';

/**
 * The most characters of a text that a condition searches or compares by order, because
 * thousands of conditions may test one long answer.
 */
export const MAX_COMPARED = 2_000;

/** What a condition compares. See docs/reference/forms.md#conditions. */
export const CONDITION_OPS = ['eq', 'ne', 'contains', 'gt', 'lt', 'answered'] as const;
export type ConditionOp = (typeof CONDITION_OPS)[number];

type Scalar = string | number | boolean;

/**
 * A condition on the answer to one field. `answered` needs no value; `false` means not answered.
 */
export interface LogicCondition {
  field: string;
  op: ConditionOp;
  value?: Scalar | undefined;
}

/** All or any of the conditions must hold. */
export type LogicConditions = { all: LogicCondition[] } | { any: LogicCondition[] };

/** When a field is shown. The first form is that of earlier versions and equals one `eq`. */
export type ShowIf = { field: string; equals: Scalar } | LogicConditions;

/** What follows a step instead of the next one. */
export interface Jump {
  from: number;
  /** A later step, or the end of the form. */
  to: number | 'end';
  /** Absent: always. */
  when?: LogicConditions | undefined;
}

/** The part of a field that logic depends on. */
export interface LogicField {
  name: string;
  type: string;
  step?: number | undefined;
  showIf?: ShowIf | undefined;
}

/** Which fields are shown, and the steps that visitors pass, in order. */
export interface Course<F> {
  visible: ReadonlySet<F>;
  /** Steps with something to show, without those that a jump skips. */
  steps: number[];
}

/** The conditions of `showIf` or `when`, and whether one of them is enough. */
export function conditionsIn(rule: ShowIf): { list: readonly LogicCondition[]; isAny: boolean } {
  if ('all' in rule) return { list: rule.all, isAny: false };
  if ('any' in rule) return { list: rule.any, isAny: true };
  return { list: [{ field: rule.field, op: 'eq', value: rule.equals }], isAny: false };
}

/** Reads the stored form of an answer: `''` if there is none, undefined if it is invalid. */
export type AnswerOf<F> = (field: F) => unknown;

/**
 * Returns the value that a condition on a field compares with, in the stored form of its answers.
 */
export type WantedOf<F> = (field: F, condition: LogicCondition) => LogicCondition['value'];

/**
 * Returns a function that tests conditions. With every operator, a condition on an unknown or
 * hidden field doesn't hold. Each condition is compared once, so the answers must not change.
 */
export function createTest<F extends LogicField>(
  fields: readonly F[],
  visible: ReadonlySet<F>,
  answerOf: AnswerOf<F>,
  wantedOf: WantedOf<F> = (_, { value }) => value,
): (rule: ShowIf) => boolean {
  const form = new Map(fields.map((field) => [field.name, field]));
  const conditionsOf = remembered(conditionsIn);
  const isMet = remembered((condition: LogicCondition) => {
    const source = form.get(condition.field) as F;
    return holds(condition.op, source.type, answerOf(source), wantedOf(source, condition));
  });
  return (rule) => {
    const { list, isAny } = conditionsOf(rule);
    const test = (condition: LogicCondition) => {
      const source = form.get(condition.field);
      return !!source && visible.has(source) && isMet(condition);
    };
    return isAny ? list.some(test) : list.every(test);
  };
}

/** The same function, which computes the result for each argument once. */
function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key) as V;
  };
}

/**
 * Decides which fields are shown, with the same rules in the browser and on the server. A field is
 * shown if its condition holds and no jump skips its step. Compares each condition once, although
 * all are tested again for each jump that is taken. docs/reference/forms.md#conditional-fields
 */
export function courseOf<F extends LogicField>(
  fields: readonly F[],
  jumps: readonly Jump[] = [],
  answerOf: AnswerOf<F>,
  wantedOf?: WantedOf<F>,
): Course<F> {
  const order = inOrder(fields);
  const taken: Jump[] = [];
  const visible = new Set<F>();
  const test = createTest(fields, visible, answerOf, wantedOf);
  const decide = () => {
    visible.clear();
    for (const field of order) {
      const { showIf } = field;
      // A field whose sources aren't decided yet depends on itself, and is hidden.
      if (!isSkippable(stepOf(field), taken) && (!showIf || test(showIf))) visible.add(field);
    }
  };
  decide();
  const steps: number[] = [];
  for (;;) {
    const last = steps[steps.length - 1] ?? 0;
    let step = Infinity;
    for (const field of visible) {
      const next = stepOf(field);
      if (next > last && next < step) step = next;
    }
    if (step === Infinity) break;
    steps.push(step);
    const jump = jumps.find(({ from, when }) => from === step && (!when || test(when)));
    if (!jump) continue;
    taken.push(jump);
    decide();
  }
  return { visible, steps };
}

/** Hidden fields belong to no step. */
const stepOf = ({ type, step = 1 }: LogicField): number => (type === 'hidden' ? 0 : step);

/** Whether one of the jumps skips the step, if it is taken. */
export const isSkippable = (step: number, jumps: readonly Jump[] = []): boolean =>
  jumps.some(({ from, to }) => step > from && (to === 'end' || step < to));

/** The fields, each after those that its condition depends on. Cycles end somewhere. */
function inOrder<F extends LogicField>(fields: readonly F[]): ReadonlySet<F> {
  const form = new Map(fields.map((field) => [field.name, field]));
  const seen = new Set<F>();
  const order = new Set<F>();
  // Not recursive, because a chain of conditions may have any length.
  const stack = [...form.values()];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (seen.has(top)) {
      order.add(top);
      stack.pop();
      continue;
    }
    seen.add(top);
    for (const { field } of top.showIf ? conditionsIn(top.showIf).list : []) {
      const source = form.get(field);
      if (source && !seen.has(source)) stack.push(source);
    }
  }
  return order;
}

/** Whether an answer, in the stored form, meets a condition whose value has the stored form too. */
function holds(op: ConditionOp, type: string, answer: unknown, wanted: Scalar = true): boolean {
  if (answer === undefined) return false;
  const list = Array.isArray(answer) && answer;
  if (op === 'answered') {
    return (list ? list.length > 0 : answer !== '' && answer !== false && answer !== null) === wanted;
  }
  const [one, other] = [answer as Scalar, wanted].map((value) =>
    type === 'time' ? withSeconds(String(value)) : value,
  ) as [Scalar, Scalar];
  const isEqual = list ? list.includes(wanted) : one === other;
  if (op === 'eq') return isEqual;
  if (op === 'ne') return !isEqual;
  const compared = typeof one === 'string' ? one.slice(0, MAX_COMPARED) : one;
  if (op === 'contains') return list ? isEqual : String(compared).includes(String(wanted));
  // A hidden field may have a number as text, which JavaScript converts.
  return answer !== '' && (op === 'gt' ? compared > other : compared < other);
}
