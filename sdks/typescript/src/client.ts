import { Transport } from './http/transport.ts';
import { AccountWebhooks } from './resources/account-webhooks.ts';
import { AuditLog } from './resources/audit-log.ts';
import { Erasures } from './resources/erasures.ts';
import { Events } from './resources/events.ts';
import { Forms } from './resources/forms.ts';
import { Groups } from './resources/groups.ts';
import { Inbound } from './resources/inbound.ts';
import { Keys } from './resources/keys.ts';
import { NotificationAddresses } from './resources/notification-addresses.ts';
import { Receipts } from './resources/receipts.ts';
import { Submissions } from './resources/submissions.ts';
import { Tasks } from './resources/tasks.ts';
import { Webhooks } from './resources/webhooks.ts';
import { described } from './secrets.ts';
import { mask, readSettings, type ClientOptions } from './settings.ts';

/**
 * A client for the API of one server, with one API key.
 *
 * It retries connection errors and the statuses 408, 429 and 5xx except 508 with exponential
 * backoff. Each POST carries an `Idempotency-Key`, so the server runs it once.
 *
 * @example
 * const client = new SvcForms();
 * const question = { templateId, title: 'Refund 120 €?', prefill: { amount: 120 } };
 * const task = await client.tasks.requestAndWait(question);
 */
export class SvcForms {
  // `declare`: the constructor creates these.
  /** Tasks: approval by a human. */
  declare readonly tasks: Tasks;
  /** Forms. */
  declare readonly forms: Forms;
  /** Submissions of forms. */
  declare readonly submissions: Submissions;
  /** Webhooks and their deliveries. */
  declare readonly webhooks: Webhooks;
  /** Webhooks of the account and their deliveries. */
  declare readonly accountWebhooks: AccountWebhooks;
  /** Receipts of approved actions. */
  declare readonly receipts: Receipts;
  /** Inbound endpoints: submissions from other systems. */
  declare readonly inbound: Inbound;
  /** The event stream. */
  declare readonly events: Events;
  /** Groups of users, for the policies of tasks. */
  declare readonly groups: Groups;
  /** API keys. */
  declare readonly keys: Keys;
  /** The audit log. */
  declare readonly auditLog: AuditLog;
  /** Email addresses for notifications about new submissions. */
  declare readonly notificationAddresses: NotificationAddresses;
  /** Erasure of a person's data. */
  declare readonly erasures: Erasures;
  /** The URL of the server. */
  declare readonly baseUrl: string;

  /**
   * Creates a client without sending a request.
   * @throws ConfigurationError if the API key is missing, or the base URL is invalid.
   */
  constructor(options: ClientOptions = {}) {
    const settings = readSettings(options);
    const transport = new Transport(settings, options);
    this.baseUrl = settings.baseUrl;
    this.tasks = new Tasks(transport);
    this.forms = new Forms(transport);
    this.submissions = new Submissions(transport);
    this.webhooks = new Webhooks(transport);
    this.accountWebhooks = new AccountWebhooks(transport);
    this.inbound = new Inbound(transport);
    this.events = new Events(transport);
    this.receipts = new Receipts(transport);
    this.groups = new Groups(transport);
    this.keys = new Keys(transport);
    this.auditLog = new AuditLog(transport);
    this.notificationAddresses = new NotificationAddresses(transport);
    this.erasures = new Erasures(transport);
    described(this, 'SvcForms', () => ({ baseUrl: settings.baseUrl, apiKey: mask(settings.apiKey) }));
  }
}
