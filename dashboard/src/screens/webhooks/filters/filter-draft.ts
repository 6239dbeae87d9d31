import {
  filterProblems,
  type FilterCondition,
  type FilterOp,
  type FilterScalar,
  type WebhookFilter,
} from '@svcforms/contracts';

/** The operators of the editor: `exists` is two of them. */
export type EditorOp = FilterOp | 'missing';

export const VALUE_KINDS = ['text', 'number', 'boolean', 'null'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface ConditionDraft {
  /** For React; not part of the filter. */
  key: string;
  path: string;
  op: EditorOp;
  /** What the texts stand for. */
  kind: ValueKind;
  text: string;
  /** The values of `in`. */
  texts: string[];
}

export interface GroupDraft {
  key: string;
  combine: 'all' | 'any';
  elements: ElementDraft[];
}

export type ElementDraft = ConditionDraft | GroupDraft;

/** A filter while it is edited, with inputs or as JSON. */
export type FilterDraft = { mode: 'inputs'; group: GroupDraft } | { mode: 'json'; text: string };

export const isGroup = (element: ElementDraft): element is GroupDraft => 'elements' in element;

let keys = 0;
const newKey = () => `filter-${(keys += 1)}`;

export const newCondition = (path: string, kind: ValueKind = 'text'): ConditionDraft => ({
  key: newKey(),
  path,
  op: 'eq',
  kind,
  text: kind === 'boolean' ? 'true' : '',
  texts: [],
});

export const newGroup = (elements: ElementDraft[], combine: GroupDraft['combine'] = 'all'): GroupDraft => ({
  key: newKey(),
  combine,
  elements,
});

/**
 * The draft of a saved filter: as JSON if the inputs can't show all of it, such as lists of mixed
 * types.
 */
export function draftOf(filter: WebhookFilter): FilterDraft {
  const group = groupDraftOf(filter);
  const isShown = JSON.stringify(filterOf(group)) === JSON.stringify(filter);
  return isShown ? { mode: 'inputs', group } : jsonDraftOf(filter);
}

export const jsonDraftOf = (filter: unknown): FilterDraft => ({
  mode: 'json',
  text: JSON.stringify(filter, null, 2),
});

function groupDraftOf(filter: WebhookFilter): GroupDraft {
  const [combine, elements] =
    'all' in filter ? (['all', filter.all] as const) : (['any', filter.any] as const);
  return newGroup(
    elements.map((element) => ('op' in element ? conditionDraftOf(element) : groupDraftOf(element))),
    combine,
  );
}

function conditionDraftOf({ path, op, value }: FilterCondition): ConditionDraft {
  if (op === 'exists') return { ...newCondition(path), op: value === true ? 'exists' : 'missing' };
  const values = Array.isArray(value) ? value : [value];
  return {
    ...newCondition(path),
    op,
    kind: kindOf(values[0] ?? null),
    text: Array.isArray(value) ? '' : textOf(value),
    texts: Array.isArray(value) ? value.map(textOf) : [],
  };
}

const textOf = (value: FilterScalar) => (value === null ? '' : String(value));

function kindOf(value: FilterScalar): ValueKind {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
}

/**
 * The filter of a group. Values that are missing or not numbers stay undefined, so that they are
 * reported.
 */
export function filterOf({ combine, elements }: GroupDraft): unknown {
  return { [combine]: elements.map((each) => (isGroup(each) ? filterOf(each) : conditionOf(each))) };
}

function conditionOf({ path, op, kind, text, texts }: ConditionDraft): unknown {
  if (op === 'exists' || op === 'missing')
    return { path, op: 'exists' satisfies FilterOp, value: op === 'exists' };
  const value = op === 'in' ? texts.map((each) => valueOf(kind, each)) : valueOf(kind, text);
  return { path, op, value };
}

function valueOf(kind: ValueKind, text: string): FilterScalar | undefined {
  if (kind === 'null') return null;
  if (kind === 'boolean') return text === 'true';
  if (text.trim() === '') return undefined;
  if (kind === 'text') return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** What the draft stands for, or its faults by path: `all/0/value`, or `` for the filter itself. */
type FilterReading = { filter: WebhookFilter } | { faults: ReadonlyMap<string, string> };

export function readDraft(draft: FilterDraft): FilterReading {
  let filter: unknown;
  try {
    filter = draft.mode === 'json' ? JSON.parse(draft.text) : filterOf(draft.group);
  } catch (error) {
    return { faults: new Map([['', error instanceof Error ? error.message : String(error)]]) };
  }
  const faults = filterProblems(filter).map(
    ({ path, message }) => [path.join('/'), message.charAt(0).toUpperCase() + message.slice(1)] as const,
  );
  return faults.length > 0 ? { faults: new Map(faults) } : { filter: filter as WebhookFilter };
}

/** The filter of a draft without faults; `null` without a draft. */
export function savedFilter(draft: FilterDraft | null): WebhookFilter | null {
  const reading = draft && readDraft(draft);
  return reading && 'filter' in reading ? reading.filter : null;
}
