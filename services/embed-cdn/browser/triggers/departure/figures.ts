// Figures of two exit signals, beside them rather than in them: esbuild writes numbers that are imported into their places, which saves 32 bytes.

/** The run of scrolling that counts has at least so many events … */
export const MIN_EVENTS = 3;
/** … within so long … */
export const WITHIN_MS = 600;
/** … over so far, or over the greater part of a short way … */
export const FAR_PX = 400;
export const SHARE = 0.6;
export const MIN_PX = 200;
/** … ending so near to the top. The spec leaves these figures open (Arming guard 6). */
export const TOP_PX = 100;
/** Home, Cmd+Up and links inside the page look fast, and aren't meant, for so long. */
export const JUMP_MS = 1000;
/** How long after it a blur is the doing of a dialog of the browser's. */
export const DIALOG_MS = 500;
