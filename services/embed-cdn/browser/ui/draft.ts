import type { PublicForm } from '@svcforms/contracts';

/** What was typed, kept in this tab until it is sent, so that a reload doesn't take it; unless the form says no. */
export function createDraft({ id, keepDraft = true }: PublicForm) {
  const key = `svc:draft:${id}`;
  /** Storage may be blocked. */
  const attempt = <T>(use: () => T): T | undefined => {
    try {
      return keepDraft ? use() : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    /** Without a prototype, as fields may have any name. */
    read: (): Record<string, unknown> =>
      Object.assign(
        Object.create(null),
        attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '{}')),
      ),
    write: (values: Record<string, unknown>) =>
      attempt(() => sessionStorage.setItem(key, JSON.stringify(values))),
    clear: () => attempt(() => sessionStorage.removeItem(key)),
  };
}
