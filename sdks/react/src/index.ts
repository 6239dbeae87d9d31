export { SvcForm, type SvcFormProps } from './svc-form.tsx';
export { closeForm, openForm } from './open-form.ts';
export type { ErrorDetail, FormDetail, StepDetail, SubmittedDetail } from './events.ts';
