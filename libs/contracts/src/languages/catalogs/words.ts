/** A text in the forms that the plural rules of the language distinguish (CLDR categories). */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A text, with placeholders such as `{n}`. */
export type Text = string | Plural;

/** What the form itself says. */
export interface FormWords {
  submit: Text;
  back: Text;
  next: Text;
  /** `{n}` of `{total}`. */
  step: Text;
  close: Text;
  decline: Text;
  thanks: Text;
  /** The submission failed for a reason that the visitor can't change. */
  failed: Text;
  required: Text;
}

/** What is wrong with a value. `{n}` is a limit: a number, a date, a time, or a count. */
interface FieldWords {
  email: Text;
  url: Text;
  number: Text;
  min: Text;
  max: Text;
  earliest: Text;
  latest: Text;
  date: Text;
  time: Text;
  minLength: Text;
  maxLength: Text;
  choose: Text;
  chooseSome: Text;
  check: Text;
  consent: Text;
}

/** What hosted pages say around the form. */
interface PageWords {
  noScript: string;
  missingTitle: string;
  missingText: string;
}

/** What only the server says when it refuses a submission. */
interface RefusalWords {
  /**
   * Above the list of invalid fields. A newer version of the form may have fields that the visitor
   * doesn't see.
   */
  invalid: string;
  origin: string;
}

/** What only the server says when it refuses a value. */
interface ValueWords {
  /** The text of a consent has changed since it was shown. */
  newText: string;
  /** A value of another kind than the field. */
  invalidValue: string;
}

/** What the browser needs of a language. */
export interface BrowserWords extends FormWords, FieldWords {
  /** Font families for scripts that the default ones lack. */
  font?: string;
}

export interface Catalog extends PageWords, RefusalWords, ValueWords {
  browser: BrowserWords;
}
