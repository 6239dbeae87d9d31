import type { FilterCondition, FilterScalar, WebhookFilter } from '@svcforms/contracts';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import type { PathChoice } from './filter-paths.ts';

/** The label of a path; without one, the path as it is. */
export const labelOfPath = (path: string, choices: readonly PathChoice[]): string =>
  choices.find((choice) => choice.path === path)?.label ?? path;

/** A filter in words: `Plan is "team" and (Seats is at least 50 or Email is missing)`. */
export function filterWords(filter: WebhookFilter, choices: readonly PathChoice[]): string {
  const [elements, joint] =
    'all' in filter ? ([filter.all, texts.and] as const) : ([filter.any, texts.or] as const);
  return elements
    .map((element) => {
      if ('op' in element) return conditionWords(element, choices);
      const words = filterWords(element, choices);
      const isAmbiguous = elements.length > 1 && ('all' in element ? element.all : element.any).length > 1;
      return isAmbiguous ? `(${words})` : words;
    })
    .join(joint);
}

function conditionWords({ path, op, value }: FilterCondition, choices: readonly PathChoice[]): string {
  const label = labelOfPath(path, choices);
  if (op === 'exists') return `${label} ${texts.operators[value === true ? 'exists' : 'missing']}`;
  const values = Array.isArray(value) ? value : [value];
  return `${label} ${texts.operators[op]} ${values.map(valueWords).join(', ')}`;
}

const valueWords = (value: FilterScalar): string => JSON.stringify(value);
