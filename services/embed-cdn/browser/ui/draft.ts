import type { PublicForm } from '@svcforms/contracts';

/**
 * Keeps typed values in this tab until the form is submitted, so that a reload doesn't lose them.
 * Others aren't kept: the URL or the form may have another one after the reload. The request that
 * was sent last is kept under the empty name, which no field has. Forms can turn this off.
 */
export function createDraft({ id, keepDraft = true }: PublicForm) {
  const key = `svc:draft:${id}`;
  /** Storage may be blocked. */
  const attempt = <T>(use: () => T): T | undefined => {
    try {
      if (keepDraft) return use();
    } catch {
      // It isn't kept.
    }
    return undefined;
  };
  const read = () => JSON.parse(sessionStorage.getItem(key) as string) as Record<string, unknown> | null;
  return {
    /** Has no prototype because fields may have any name. */
    values: Object.assign(Object.create(null), attempt(read)) as Record<string, unknown>,
    keep(name: string, value: unknown) {
      // The page may show the form twice.
      attempt(() => sessionStorage.setItem(key, JSON.stringify({ ...read(), [name]: value })));
    },
    clear: () => attempt(() => sessionStorage.removeItem(key)),
  };
}

export type Draft = ReturnType<typeof createDraft>;
