const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w.-]{0,63})\s*\}\}/g;

/** The names of the fields whose answers a text contains, such as `{{name}}`. */
export function pipedNames(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/**
 * Replaces placeholders with answers. An answer is never searched for placeholders in turn.
 * @param textOf the text of an answer; undefined leaves the placeholder as it is
 */
export function pipe(text: string, textOf: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => textOf(name) ?? whole);
}

/** Renames a field in the placeholders of a text, or removes its placeholders. */
export function renamePiped(text: string, from: string, to: string | undefined): string {
  const name = from.replace(/[^\w]/g, String.raw`\$&`);
  return text.replace(new RegExp(String.raw`\{\{\s*${name}\s*\}\}`, 'g'), () =>
    to === undefined ? '' : `{{${to}}}`,
  );
}
