import type { FormDefinition, FormField } from '@svcforms/contracts';

/** A difference between two definitions of a form. */
export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  /** The field that it is about; absent for the form and its settings. */
  field?: Pick<FormField, 'name' | 'label'>;
  /**
   * The changed property: `['settings', 'theme', 'accent']`. Empty for a whole field, and for the
   * order.
   */
  path: readonly string[];
  before?: unknown;
  after?: unknown;
}

const TEXTS = ['name', 'title', 'intro', 'description'] as const;

/**
 * Lists what changes from one definition to another: the form, its fields in their order, then its
 * settings.
 */
export function changesBetween(before: FormDefinition, after: FormDefinition): Change[] {
  return [
    ...TEXTS.flatMap((name) => differences([name], before[name], after[name])),
    ...fieldChanges(before.fields, after.fields),
    ...differences(['settings'], before.settings, after.settings),
  ];
}

function fieldChanges(before: readonly FormField[], after: readonly FormField[]): Change[] {
  const old = new Map(before.map((field) => [field.name, field]));
  const current = new Set(after.map(({ name }) => name));
  const namesLeft = (fields: readonly FormField[]) =>
    fields.map(({ name }) => name).filter((name) => old.has(name) && current.has(name));
  const [oldOrder, newOrder] = [namesLeft(before), namesLeft(after)];
  return [
    ...after.flatMap((field): Change[] => {
      const saved = old.get(field.name);
      if (!saved) return [{ kind: 'added', field, path: [], after: field.type }];
      return differences([], saved, field).map((change) => ({ ...change, field }));
    }),
    ...before
      .filter(({ name }) => !current.has(name))
      .map((field): Change => ({ kind: 'removed', field, path: [], before: field.type })),
    ...(oldOrder.join() === newOrder.join()
      ? []
      : [{ kind: 'moved' as const, path: [], before: oldOrder, after: newOrder }]),
  ];
}

/** The innermost properties that differ. Lists and conditions are compared as a whole. */
function differences(path: readonly string[], before: unknown, after: unknown): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  // An added or removed section is shown property by property.
  const [old, current] = [before ?? {}, after ?? {}];
  if (path.at(-1) === 'showIf' || !isObject(old) || !isObject(current)) {
    return [{ kind, path, before, after }];
  }
  const names = new Set([...Object.keys(old), ...Object.keys(current)]);
  return [...names].flatMap((name) => differences([...path, name], old[name], current[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
