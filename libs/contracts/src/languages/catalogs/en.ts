import type { Catalog, FormWords } from './words.ts';

/** The words in the renderer itself, for when no catalog loads. */
export const EN_FORM: FormWords = {
  submit: 'Submit',
  back: 'Back',
  next: 'Next',
  step: 'Step {n} of {total}',
  close: 'Close',
  decline: 'No thanks',
  thanks: 'Thank you',
  failed: 'That did not work. Nothing is lost: please try again.',
  required: 'Please fill out this field.',
};

/**
 * English. What the server says about values is in `field-value.ts`, because API clients read it
 * too.
 */
export const en: Omit<Catalog, 'newText' | 'invalidValue'> = {
  browser: {
    ...EN_FORM,
    email: 'Please enter an email address.',
    url: 'Please enter a URL.',
    number: 'Please enter a number.',
    min: 'Value must be greater than or equal to {n}.',
    max: 'Value must be less than or equal to {n}.',
    earliest: 'Value must be {n} or later.',
    latest: 'Value must be {n} or earlier.',
    date: 'Please enter a valid date.',
    time: 'Please enter a valid time.',
    minLength: {
      one: 'Please use at least {n} character.',
      other: 'Please use at least {n} characters.',
    },
    maxLength: { one: 'Please use at most {n} character.', other: 'Please use at most {n} characters.' },
    choose: 'Please select one of these options.',
    chooseSome: 'Please choose at least one.',
    check: 'Please check this box if you want to proceed.',
    consent: 'Please check this box if you want to proceed.',
  },
  noScript: 'This form needs JavaScript.',
  missingTitle: 'Form not found',
  missingText: 'It may have been removed.',
  invalid: 'Please check your answers. If the form has changed, reload the page.',
  origin: "This form can't be submitted from this page.",
};
