/** The most bytes of the script, by gzip -9. docs/reference/embed.md */
export const CORE_BYTES = 5_120;
/** The most bytes of the script with the renderer and the words of one language. */
export const ALL_BYTES = 12_288;

/** The most bytes of each part that only some forms load. */
export const PART_BYTES = [
  ['consent', 1400],
  ['triggers', 800],
  ['exit', 1100],
  ['states', 500],
  ['data-layer', 200],
  ['navigation', 200],
  ['inline', 460],
  ['render', 480],
  ['touch', 220],
  ['rules', 1500],
  ['choices', 2600],
  ['content', 1600],
  ['logic', 2750],
  ['pictures', 700],
  ['placements', 1900],
  ['token', 600],
  ['proof', 1000],
] as const;
