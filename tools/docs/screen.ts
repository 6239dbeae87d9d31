import type { Page } from 'playwright-core';
import type { Created } from '../lib/api.ts';

/** A screen that npm run screenshots captures. */
export interface Screen {
  name: string;
  /** Leaves the page as it is captured. */
  show: (page: Page, prepared: Prepared) => Promise<void>;
}

export interface Forms {
  news: Created;
  contact: Created;
}

/** What exists before the first screenshot is taken. */
export interface Prepared extends Forms {
  baseUrl: string;
  siteUrl: string;
  owner: { email: string; password: string };
  dashboard: FilledAccount;
}

/** The ids of what the screens of the dashboard show. */
export interface FilledAccount {
  formId: string;
  buildId: string;
  submissionId: string;
  webhookId: string;
  disabledId: string;
  deliveryId: string;
  inboundId: string;
  taskId: string;
}
