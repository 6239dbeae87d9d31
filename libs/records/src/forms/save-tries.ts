import { AppError } from '@svcforms/contracts';

/** Others may save the form at the same time. More conflicts than this have another cause. */
export const SAVE_TRIES = 20;

export const tooManyChanges = (): AppError =>
  new AppError('CONFLICT', 'Too many others are changing this form. Try again.');
