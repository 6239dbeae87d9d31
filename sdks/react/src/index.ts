export { SvcForm, type SvcFormProps } from './svc-form.ts';
export { closeForm, openForm } from './open-form.ts';
export type { ErrorDetail, FormDetail, StepDetail, SubmittedDetail } from './events.ts';
