/**
 * Minimum length of a new password, in UTF-16 code units. In a file of its own, so that the first
 * screen of the dashboard doesn't load the schemas.
 */
export const MIN_PASSWORD_LENGTH = 12;
