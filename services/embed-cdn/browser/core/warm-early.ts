/** How long before a timer ends what it opens is loaded. */
export const WARM_MS = 2000;
