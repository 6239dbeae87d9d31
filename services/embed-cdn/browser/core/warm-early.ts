/** How long before a timer fires the UI chunk is loaded, in milliseconds. */
export const WARM_MS = 2000;
