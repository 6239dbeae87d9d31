const KEPT_MS = 60_000;

/** Has the browser save a value as a JSON file. */
export function downloadJson(fileName: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
