/**
 * The longest text that every list can be searched for. Of submissions, the API accepts no longer
 * one.
 */
export const MAX_SEARCH_LENGTH = 200;
