import type { PublicForm } from '@svcforms/contracts';

const values = new Map<string, string>();
let shown: PublicForm | undefined;

/** A frame with an opaque origin has no storage, so the drafts of the form are kept in memory. */
const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (key) => values.get(key) ?? null,
  setItem: (key, value) => void values.set(key, value),
  removeItem: (key) => void values.delete(key),
};
Object.defineProperty(window, 'sessionStorage', { value: storage });

/**
 * Keeps the typed values for this form, which replaces the one before: each edit in the dashboard
 * shows the form again. Fields that were renamed keep theirs.
 */
export function keepValues(form: PublicForm): void {
  const before = shown?.fields ?? [];
  const [oldNames, newNames] = [before, form.fields].map((fields) => new Set(fields.map(({ name }) => name)));
  shown = form;
  for (const [key, text] of values) {
    const typed = JSON.parse(text) as Record<string, unknown>;
    const kept = Object.entries(typed).map(([name, value]) => {
      const renamed = form.fields[before.findIndex((field) => field.name === name)]?.name;
      const isRenamed = renamed !== undefined && !newNames?.has(name) && !oldNames?.has(renamed);
      return [isRenamed ? renamed : name, value];
    });
    values.set(key, JSON.stringify(Object.fromEntries(kept)));
  }
}
