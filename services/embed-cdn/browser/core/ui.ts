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

/** Shows forms, with all the parts that the form needs. */
export interface Ui {
  openModal: (view: FormView & { onClose: (kind: CloseKind) => void }) => { close: () => void };
  renderInline: (view: FormView & { tag: Element }) => void;
}

/** The exports of the UI chunk. */
export interface UiChunk {
  /** Loads the parts of the renderer that the form needs. */
  prepare: (form: PublicForm) => Promise<Ui>;
}
