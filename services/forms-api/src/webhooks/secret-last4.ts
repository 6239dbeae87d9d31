/**
 * The last four characters of a secret, to tell secrets apart; three if the first of four is half
 * of a surrogate pair.
 */
export const secretLast4 = (secret: string): string => secret.slice(-4).replace(/^[\uDC00-\uDFFF]/, '');
