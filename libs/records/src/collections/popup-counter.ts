import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** The counts of a popup on one day. An absent count is 0. */
export interface PopupCounterRecord extends StoredDocument {
  formId: string;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  shown?: number;
  converted?: number;
  declined?: number;
  viewed?: number;
  /** Absent if nothing but older versions has counted views on that day. */
  submitted?: number;
}

export const POPUP_COUNTERS: CollectionSpec<PopupCounterRecord> = {
  name: 'popup_counters',
  indexes: [{ keys: ['formId', 'day'] }],
};

/** One document per form and day. */
export const popupCounterId = (formId: string, day: string): string => `${formId}|${day}`;
