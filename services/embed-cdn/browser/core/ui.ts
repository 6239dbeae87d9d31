import type { PublicForm } from '@svcforms/contracts';

/** The input of the UI chunk. */
export interface FormView {
  form: PublicForm;
  /** Origin of the service. */
  base: string;
  /** Whether fields are prefilled from the page's query string. */
  prefill: boolean;
  /** Whether the submission contains the page's URL. */
  page: boolean;
  onConverted: () => void;
}

export type CloseKind = 'passive' | 'declined' | 'other';

/** The exports of the UI chunk. */
export interface Ui {
  openModal: (view: FormView & { onClose: (kind: CloseKind) => void }) => { close: () => void };
  renderInline: (view: FormView & { tag: Element }) => void;
}
