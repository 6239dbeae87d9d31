const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for Slack, which reads mentions and links only between `<` and `>`. */
export const escapeMrkdwn = (text: string): string =>
  text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
