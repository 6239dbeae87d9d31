/** What every event of a form says. */
export interface FormDetail {
  formId: string;
  placement: string;
}

export interface StepDetail extends FormDetail {
  /** From 1. */
  step: number;
  /** From 0. */
  index: number;
  steps: number;
}

export interface SubmittedDetail extends FormDetail {
  submissionId: string;
  /** What the visitor submitted, with `shareValues`. */
  data?: Record<string, unknown>;
}

export interface ErrorDetail extends FormDetail {
  /** An error code of SvcForms, or `NETWORK` if there was no response. */
  code: string;
  /** The names of the refused fields. */
  fields: string[];
}

/** The events of a form in the page, by their name without `svc:`. */
export interface FormEvents {
  shown: FormDetail;
  step: StepDetail;
  submitted: SubmittedDetail;
  error: ErrorDetail;
}
