/** One for all forms of the site: who withdraws consent withdraws it from the site. */
const KEY = 'svc:consent';
const WITHDRAWN = 'withdrawn';

/** This page's memory, where storage is blocked or full. */
let isRemembered = false;

/** Whether this visitor has withdrawn consent, on this page or an earlier one. spec: popup-forms, Consent rules 5 */
export function isWithdrawn(formId: string): boolean {
  // Earlier versions kept it with what is known of the form.
  isRemembered ||= inStorage((storage) =>
    (storage.getItem(KEY) + String(storage.getItem(`svc:${formId}`))).includes(WITHDRAWN),
  );
  return isRemembered;
}

/** Remembers the withdrawal for later pages: forever or, where only that storage works, for this session. */
export function withdraw(): void {
  isRemembered = true;
  inStorage((storage) => {
    storage.setItem(KEY, WITHDRAWN);
    return true;
  });
}

/** Whether `use` says so of a storage; one that is blocked or full is passed over. */
function inStorage(use: (storage: Storage) => boolean): boolean {
  return (['localStorage', 'sessionStorage'] as const).some((name) => {
    try {
      return use(window[name]);
    } catch {
      return false;
    }
  });
}
