import { loadScript, type SvcForms } from './load-script.ts';

const page = () => (window as { SvcForms?: SvcForms }).SvcForms;

/**
 * Opens a form as a popup, after loading the script if needed. For handlers of events, not for
 * rendering.
 * @param formId the form, `frm_…`
 * @param src the address of `embed.js`
 * @param nonce of the page's content security policy
 * @returns whether the form opened
 * @throws Error if the script can't be loaded
 */
export async function openForm(formId: string, src: string, nonce?: string): Promise<boolean> {
  await loadScript(src, nonce).loaded;
  return (await page()?.open?.(formId)) ?? false;
}

/** Closes the open popup, if there is one. */
export function closeForm(): void {
  page()?.close?.();
}
