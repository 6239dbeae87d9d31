/** Whether a label contains each word of a text, whatever their case and order. */
export function matches(label: string, text: string): boolean {
  const inLabel = label.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inLabel.includes(word));
}
