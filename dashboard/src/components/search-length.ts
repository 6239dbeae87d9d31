/** The longest text that the API searches submissions for. */
export const MAX_SEARCH_LENGTH = 200;
