import type { PublicForm } from '@svcforms/contracts';

/** What the lazily loaded chunk is given. */
export interface FormView {
  form: PublicForm;
  /** Origin of the service. */
  base: string;
  /** Whether fields take their first values from the page's query. */
  prefill: boolean;
  /** Whether the submission says which page it came from. */
  page: boolean;
  onConverted: () => void;
}

export type CloseKind = 'passive' | 'declined' | 'other';

/** What the lazily loaded chunk offers. */
export interface Ui {
  openModal: (view: FormView & { onClose: (kind: CloseKind) => void }) => { close: () => void };
  renderInline: (view: FormView & { tag: Element }) => void;
}
