/** More matches of a quick search need a longer text. */
export const MAX_MATCHES = 8;

/** A search that pauses while the browser is offline would look like one without a result. */
export const QUICK_SEARCH = { networkMode: 'always' } as const;
