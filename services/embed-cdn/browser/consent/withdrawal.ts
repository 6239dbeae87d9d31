/** One key for all forms of the site, because visitors withdraw consent from the site. */
const KEY = 'svc:consent';
const WITHDRAWN = 'withdrawn';

/** Remembers the withdrawal on this page if storage is blocked or full. */
let isRemembered = false;

/**
 * Returns whether this visitor withdrew consent on this or an earlier page.
 * docs/reference/popups.md#consent-withdrawal
 */
export function isWithdrawn(formId: string): boolean {
  // Earlier versions kept the withdrawal in the form's own record.
  isRemembered ||= inStorage((storage) =>
    (storage.getItem(KEY) + String(storage.getItem(`svc:${formId}`))).includes(WITHDRAWN),
  );
  return isRemembered;
}

/**
 * Remembers the withdrawal for later pages: permanently, or for this session if only sessionStorage
 * works.
 */
export function withdraw(): void {
  isRemembered = true;
  inStorage((storage) => {
    storage.setItem(KEY, WITHDRAWN);
    return true;
  });
}

/**
 * Returns whether `use` succeeds with one of the storages. Skips storages that are blocked or full.
 */
function inStorage(use: (storage: Storage) => boolean): boolean {
  return (['localStorage', 'sessionStorage'] as const).some((name) => {
    try {
      return use(window[name]);
    } catch {
      return false;
    }
  });
}
