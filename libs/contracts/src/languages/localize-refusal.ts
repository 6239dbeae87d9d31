import { AppError, type ErrorCode } from '../errors/errors.ts';
import { CATALOGS } from './catalogs.ts';
import type { Language } from './languages.ts';

/**
 * Words a refusal for a visitor who reads this language. The code, the status and the pointers
 * stay, and `Content-Language` says that the message is for visitors. Errors that visitors can't
 * act on stay in English.
 */
export function localizeRefusal(error: AppError, language: Language): AppError {
  const { invalid, origin, missingTitle } = CATALOGS[language];
  const messages: Partial<Record<ErrorCode, string>> = {
    VALIDATION_FAILED: invalid,
    ORIGIN_NOT_ALLOWED: origin,
    NOT_FOUND: missingTitle,
    // Already in the visitor's language, unless the form has no translation.
    FORM_CLOSED: error.message,
  };
  const message = messages[error.code];
  if (message === undefined) return error;
  const headers = { ...error.details.headers, 'Content-Language': language };
  return new AppError(error.code, message, { ...error.details, headers });
}
