import { describeWith } from '@svcforms/test-kit';
import { alerts, checkRules, expectAlert, type Fired, type Series } from './promtool.ts';

jest.setTimeout(60_000);

interface Case {
  /** The series with which it fires, after that time, and what it then says. */
  firing: { series: Series; at: string; every?: string; fired: readonly Fired[] };
  /** Series with which it doesn't, by why. */
  silent: Readonly<Record<string, { series: Series; at: string; every?: string }>>;
}

const CRITICAL = { severity: 'critical' };
const WARNING = { severity: 'warning' };
const NAMESPACE = 'namespace="svcforms"';
const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'hitl', 'embed-cdn'];

/** A healthy series of each metric that alerts read. */
const HEALTHY: Series = {
  'svc_backend_up{namespace="svcforms",job="hitl",pod="hitl-1",backend="bus"}': '1x30',
  'svc_outbox_oldest_seconds{namespace="svcforms",collection="submissions"}': '0x30',
  'svc_bus_lag_events{namespace="svcforms",durable="dispatcher"}': '0x30',
  'svc_events_dead_total{namespace="svcforms"}': '0x30',
  'svc_deliveries_oldest_due_seconds{namespace="svcforms"}': '0x30',
  'svc_delivery_outcomes_total{namespace="svcforms",outcome="failed"}': '0x30',
  'svc_email_outcomes_total{namespace="svcforms",outcome="sent"}': '0x30',
  'svc_emails_oldest_due_seconds{namespace="svcforms"}': '0x30',
  'svc_callbacks_oldest_due_seconds{namespace="svcforms"}': '0x30',
  'svc_erasures_oldest_seconds{namespace="svcforms"}': '0x30',
  'http_request_duration_seconds_count{namespace="svcforms",route="none",status="200"}': '0+10x30',
  'kube_deployment_status_replicas_available{namespace="svcforms",deployment="hitl"}': '2x30',
};
const UP = Object.fromEntries(
  SERVICES.map((job) => [`up{${NAMESPACE},job="${job}",pod="${job}-1"}`, '1x30']),
);

const without = (series: Series, part: string): Series =>
  Object.fromEntries(Object.entries(series).filter(([name]) => !name.includes(part)));

/** The same series of another installation that Prometheus scrapes. */
const elsewhere = (series: Series): Series =>
  Object.fromEntries(
    Object.entries(series).map(([name, samples]) => [
      name.replaceAll(NAMESPACE, 'namespace="other"'),
      samples,
    ]),
  );

const requests = (status: string, route = '/api/forms') =>
  `http_request_duration_seconds_count{${NAMESPACE},route="${route}",status="${status}",pod="p"}`;
const inbound = (le: string, status = '202') =>
  `http_request_duration_seconds_bucket{${NAMESPACE},route="/api/inbound/:formId",status="${status}",le="${le}"}`;

const emails = (outcome: string, pod = 'a') =>
  `svc_email_outcomes_total{${NAMESPACE},outcome="${outcome}",pod="${pod}"}`;

const JOB = (name: string) => `namespace="svcforms",job_name="${name}"`;
/** A job of the CronJob that began after this many seconds, and how it ended. */
const backupJob = (
  name: string,
  { at, failed, succeeded }: Record<'at' | 'failed' | 'succeeded', number>,
): Series => ({
  [`kube_job_status_start_time{${JOB(name)}}`]: `${at}x30`,
  [`kube_job_status_failed{${JOB(name)}}`]: `${failed}x30`,
  [`kube_job_status_succeeded{${JOB(name)}}`]: `${succeeded}x30`,
});
const LAST_BACKUP = 'kube_cronjob_status_last_successful_time{namespace="svcforms",cronjob="backup"}';

const CASES: Readonly<Record<string, Case>> = {
  SvcFormsEventsWaitInTheStore: {
    firing: {
      series: {
        'svc_outbox_oldest_seconds{namespace="svcforms",collection="submissions",pod="a"}': '130x10',
        'svc_outbox_oldest_seconds{namespace="svcforms",collection="tasks",pod="b"}': '0x10',
      },
      at: '5m',
      fired: [{ labels: CRITICAL, summary: 'The oldest event has waited for the bus for 2m 10s' }],
    },
    silent: {
      'a short outage': {
        series: { 'svc_outbox_oldest_seconds{namespace="svcforms",collection="submissions"}': '110x10' },
        at: '5m',
      },
      'an outage that has ended': {
        series: {
          'svc_outbox_oldest_seconds{namespace="svcforms",collection="submissions"}': '130 130 0x10',
        },
        at: '5m',
      },
    },
  },
  SvcFormsBusLag: {
    firing: {
      series: {
        'svc_bus_lag_events{namespace="svcforms",durable="dispatcher",pod="a"}': '10001x20',
        'svc_bus_lag_events{namespace="svcforms",durable="notifier",pod="a"}': '3x20',
      },
      at: '6m',
      fired: [
        { labels: { ...WARNING, durable: 'dispatcher' }, summary: 'dispatcher has 10001 unread events' },
      ],
    },
    silent: {
      'a backlog that is worked off': {
        series: {
          'svc_bus_lag_events{namespace="svcforms",durable="dispatcher"}': '20000 15000 9000 4000 0x20',
        },
        at: '6m',
      },
    },
  },
  SvcFormsEventsNotRead: {
    firing: {
      // The dispatcher is cut off from the bus, so only forms-api reports the lag.
      series: {
        'svc_bus_lag_events{namespace="svcforms",durable="dispatcher",job="webhook-dispatcher"}': '0 0 stale',
        'svc_bus_lag_events{namespace="svcforms",durable="dispatcher",job="forms-api"}':
          '0 0 1 1 2 2 2 3 3 3 3x20',
      },
      at: '25m',
      fired: [
        {
          labels: { ...CRITICAL, durable: 'dispatcher' },
          summary: 'dispatcher has 3 unread events, and their number does not fall',
        },
      ],
    },
    silent: {
      'steady load': {
        series: {
          'svc_bus_lag_events{namespace="svcforms",durable="dispatcher"}':
            '5 9 3 8 4 7 2 9 1 8 3 9 2 7 4 8 3 9 5 6 4 7 3 8 2 9',
        },
        at: '25m',
      },
      'no event': {
        series: { 'svc_bus_lag_events{namespace="svcforms",durable="dispatcher"}': '0x30' },
        at: '25m',
      },
      'events that wait for less than ten minutes': {
        series: { 'svc_bus_lag_events{namespace="svcforms",durable="dispatcher"}': '0x15 4x8 0x10' },
        at: '23m',
      },
    },
  },
  SvcFormsEventsDead: {
    firing: {
      series: {
        'svc_events_dead_total{namespace="svcforms",pod="a"}': '0x30 2x100',
        'svc_events_dead_total{namespace="svcforms",pod="b"}': '0x130',
      },
      at: '60m',
      fired: [
        { labels: WARNING, summary: 'The dispatcher could not process an event, so no webhook gets it' },
      ],
    },
    silent: {
      'events of more than an hour ago': {
        series: { 'svc_events_dead_total{namespace="svcforms",pod="a"}': '0x30 2x100' },
        at: '100m',
      },
      'a process that starts again': {
        series: { 'svc_events_dead_total{namespace="svcforms",pod="a"}': '2x70 0x100' },
        at: '80m',
      },
    },
  },
  SvcFormsDeliveriesLate: {
    firing: {
      series: {
        'svc_deliveries_oldest_due_seconds{namespace="svcforms",pod="a"}': '121+60x10',
        'svc_deliveries_oldest_due_seconds{namespace="svcforms",pod="b"}': '0x10',
      },
      at: '6m',
      fired: [{ labels: CRITICAL, summary: 'The oldest due delivery is 8m 1s overdue' }],
    },
    silent: {
      'deliveries that are due for a moment': {
        series: { 'svc_deliveries_oldest_due_seconds{namespace="svcforms"}': '30x10' },
        at: '6m',
      },
    },
  },
  SvcFormsDeliveriesGivenUp: {
    firing: {
      series: { 'svc_delivery_outcomes_total{namespace="svcforms",outcome="failed",pod="a"}': '0+12x60' },
      at: '45m',
      fired: [{ labels: WARNING, summary: 'Deliveries fail after their last attempt' }],
    },
    silent: {
      'a few failures': {
        series: { 'svc_delivery_outcomes_total{namespace="svcforms",outcome="failed"}': '0+3x60' },
        at: '45m',
      },
      'deliveries that are retried': {
        series: { 'svc_delivery_outcomes_total{namespace="svcforms",outcome="retry"}': '0+60x60' },
        at: '45m',
      },
    },
  },
  SvcFormsEmailsNotSent: {
    firing: {
      series: {
        [emails('retry')]: '0x70 1+1x60',
        [emails('sent')]: '0 1 2 3x130',
        [emails('sent', 'b')]: '0x130',
      },
      at: '90m',
      fired: [{ labels: CRITICAL, summary: 'The mail server takes no emails' }],
    },
    silent: {
      'one address whose server is busy': {
        series: { [emails('retry')]: '0x70 1+1x60', [emails('sent')]: '0x80 1x60' },
        at: '90m',
      },
      'an address that the server refuses': {
        series: { [emails('refused')]: '0x70 1+1x60', [emails('sent')]: '0x130' },
        at: '90m',
      },
      'no email': { series: { [emails('retry')]: '0x130', [emails('sent')]: '0x130' }, at: '90m' },
    },
  },
  SvcFormsEmailsGivenUp: {
    firing: {
      series: { [emails('failed')]: '0x30 1x100', [emails('failed', 'b')]: '0x130' },
      at: '60m',
      fired: [{ labels: WARNING, summary: 'Emails were given up after two days' }],
    },
    silent: {
      'emails that are sent again': { series: { [emails('retry')]: '0+1x130' }, at: '60m' },
      'an address that the server refuses': { series: { [emails('refused')]: '0x30 1x100' }, at: '60m' },
    },
  },
  SvcFormsEmailsLate: {
    firing: {
      series: {
        'svc_emails_oldest_due_seconds{namespace="svcforms",pod="a"}': '601+60x10',
        'svc_emails_oldest_due_seconds{namespace="svcforms",pod="b"}': '0x10',
      },
      at: '6m',
      fired: [{ labels: WARNING, summary: 'The oldest due email is 16m 1s overdue' }],
    },
    silent: {
      'many emails at once': {
        series: { 'svc_emails_oldest_due_seconds{namespace="svcforms"}': '300x10' },
        at: '6m',
      },
    },
  },
  SvcFormsCallbacksLate: {
    firing: {
      series: {
        'svc_callbacks_oldest_due_seconds{namespace="svcforms",pod="a"}': '121+60x10',
        'svc_callbacks_oldest_due_seconds{namespace="svcforms",pod="b"}': '0x10',
      },
      at: '6m',
      fired: [{ labels: CRITICAL, summary: 'The oldest due callback is 8m 1s overdue' }],
    },
    silent: {
      'callbacks that are due for a moment': {
        series: { 'svc_callbacks_oldest_due_seconds{namespace="svcforms"}': '30x10' },
        at: '6m',
      },
    },
  },
  SvcFormsErasuresLate: {
    firing: {
      series: {
        'svc_erasures_oldest_seconds{namespace="svcforms",pod="a"}': '1801+60x10',
        'svc_erasures_oldest_seconds{namespace="svcforms",pod="b"}': '0x10',
      },
      at: '6m',
      fired: [{ labels: WARNING, summary: 'The oldest erasure has not completed for 36m 1s' }],
    },
    silent: {
      'erasures that follow each other': {
        series: { 'svc_erasures_oldest_seconds{namespace="svcforms"}': '40x10' },
        at: '6m',
      },
    },
  },
  SvcFormsServerErrors: {
    firing: {
      series: { [requests('200')]: '0+98x20', [requests('500')]: '0+2x20' },
      at: '11m',
      fired: [
        {
          labels: { ...CRITICAL, route: '/api/forms' },
          summary: '2% of the requests to /api/forms end with a server error',
        },
      ],
    },
    silent: {
      'few errors among many requests': {
        series: { [requests('200')]: '0+995x20', [requests('500')]: '0+5x20' },
        at: '11m',
      },
      'errors of clients': {
        series: { [requests('200')]: '0+10x20', [requests('404')]: '0+90x20' },
        at: '11m',
      },
      'a loop of the systems of a client': {
        series: { [requests('202')]: '0+50x20', [requests('508')]: '0+50x20' },
        at: '11m',
      },
      'probes of a dispatcher that is not ready': {
        series: { [requests('200', 'none')]: '0+6x20', [requests('503', 'none')]: '0+20x20' },
        at: '11m',
      },
    },
  },
  SvcFormsInboundSlow: {
    firing: {
      series: {
        [inbound('0.25')]: '0+50x30',
        [inbound('0.5')]: '0+100x30',
        [inbound('+Inf')]: '0+100x30',
        // Refusals are fast, and would hide that accepted submissions are slow.
        [inbound('0.25', '429')]: '0+100000x30',
        [inbound('0.5', '429')]: '0+100000x30',
        [inbound('+Inf', '429')]: '0+100000x30',
      },
      at: '20m',
      fired: [{ labels: WARNING, summary: 'The p99 latency of inbound submissions is 495ms' }],
    },
    silent: {
      'fast responses': {
        series: {
          [inbound('0.25')]: '0+100x30',
          [inbound('0.5')]: '0+100x30',
          [inbound('+Inf')]: '0+100x30',
        },
        at: '20m',
      },
      'slow refusals': {
        series: {
          [inbound('0.25')]: '0+100x30',
          [inbound('+Inf')]: '0+100x30',
          [inbound('0.25', '503')]: '0x30',
          [inbound('+Inf', '503')]: '0+100x30',
        },
        at: '20m',
      },
      'no request': { series: { [inbound('0.25')]: '0x30', [inbound('+Inf')]: '0x30' }, at: '20m' },
    },
  },
  SvcFormsBackendDown: {
    firing: {
      series: {
        'svc_backend_up{namespace="svcforms",job="webhook-dispatcher",pod="d-1",backend="bus"}': '1 0x10',
        'svc_backend_up{namespace="svcforms",job="webhook-dispatcher",pod="d-2",backend="bus"}': '1 0x10',
        'svc_backend_up{namespace="svcforms",job="webhook-dispatcher",pod="d-1",backend="store"}': '1x10',
        'svc_backend_up{namespace="svcforms",job="forms-api",pod="f-1",backend="bus"}': '1x10',
      },
      at: '3m',
      fired: [
        {
          labels: { ...CRITICAL, job: 'webhook-dispatcher', backend: 'bus' },
          summary: 'The bus does not respond to webhook-dispatcher (processes: 2)',
        },
      ],
    },
    silent: {
      'backends that respond': { series: HEALTHY, at: '5m' },
      'a failure of one scrape': {
        series: { 'svc_backend_up{namespace="svcforms",job="hitl",pod="h",backend="bus"}': '1 1 0 1x10' },
        at: '2m',
      },
    },
  },
  SvcFormsNotReady: {
    firing: {
      series: { 'kube_deployment_status_replicas_available{namespace="svcforms",deployment="hitl"}': '0x10' },
      at: '3m',
      fired: [
        {
          labels: { ...CRITICAL, namespace: 'svcforms', deployment: 'hitl' },
          summary: 'hitl has no ready pod',
        },
      ],
    },
    silent: {
      'one pod that is ready': {
        series: {
          'kube_deployment_status_replicas_available{namespace="svcforms",deployment="hitl"}': '1x10',
        },
        at: '3m',
      },
      'another product': {
        series: { 'kube_deployment_status_replicas_available{namespace="other",deployment="hitl"}': '0x10' },
        at: '3m',
      },
    },
  },
  SvcFormsNotScraped: {
    firing: {
      series: { ...UP, 'up{namespace="svcforms",job="hitl",pod="hitl-2"}': '1 0x20' },
      at: '7m',
      fired: [
        {
          labels: { ...WARNING, namespace: 'svcforms', job: 'hitl', pod: 'hitl-2' },
          summary: "Prometheus can't read the metrics of hitl-2",
        },
      ],
    },
    silent: {
      'processes that are scraped': { series: UP, at: '7m' },
      'a pod that starts': {
        series: { ...UP, 'up{namespace="svcforms",job="hitl",pod="hitl-2"}': '0 0 1x20' },
        at: '7m',
      },
    },
  },
  SvcFormsServiceMissing: {
    firing: {
      series: without(UP, '"webhook-dispatcher"'),
      at: '6m',
      fired: [
        {
          labels: { ...CRITICAL, namespace: 'svcforms', job: 'webhook-dispatcher' },
          summary: 'Prometheus knows no process of webhook-dispatcher',
        },
      ],
    },
    silent: { 'all services': { series: UP, at: '6m' } },
  },
  SvcFormsMetricMissing: {
    firing: {
      series: without(HEALTHY, 'svc_bus_lag_events'),
      at: '11m',
      fired: [
        {
          labels: { ...WARNING, namespace: 'svcforms', metric: 'svc_bus_lag_events' },
          summary: 'No process exports svc_bus_lag_events, so the alerts on it are blind',
        },
      ],
    },
    silent: { 'all metrics': { series: HEALTHY, at: '11m' } },
  },
  SvcFormsBackupOverdue: {
    firing: {
      series: { [LAST_BACKUP]: '0x200' },
      at: '1570m',
      every: '10m',
      fired: [
        {
          labels: { ...CRITICAL, cronjob: 'backup' },
          summary: 'The last successful backup ended 1d 2h 10m 0s ago',
        },
      ],
    },
    silent: {
      'a backup of 26 hours ago': { series: { [LAST_BACKUP]: '0x200' }, at: '1560m', every: '10m' },
      'a backup each day': { series: { [LAST_BACKUP]: '0x144 86400x144' }, at: '2800m', every: '10m' },
      'another CronJob': {
        series: {
          'kube_cronjob_status_last_successful_time{namespace="svcforms",cronjob="other"}': '0x200',
        },
        at: '1900m',
        every: '10m',
      },
    },
  },
  SvcFormsBackupFailed: {
    firing: {
      series: {
        ...backupJob('backup-1', { at: 100, failed: 0, succeeded: 1 }),
        ...backupJob('backup-2', { at: 200, failed: 1, succeeded: 0 }),
      },
      at: '5m',
      fired: [
        {
          labels: { ...WARNING, namespace: 'svcforms' },
          summary: 'An attempt of the newest backup has failed',
        },
      ],
    },
    silent: {
      'a newer backup': {
        series: {
          ...backupJob('backup-1', { at: 100, failed: 3, succeeded: 0 }),
          ...backupJob('backup-2', { at: 200, failed: 0, succeeded: 1 }),
        },
        at: '5m',
      },
      'a second attempt that succeeded': {
        series: backupJob('backup-1', { at: 100, failed: 1, succeeded: 1 }),
        at: '5m',
      },
      'a backup that runs': {
        series: backupJob('backup-1', { at: 100, failed: 0, succeeded: 0 }),
        at: '5m',
      },
      'a job of something else': {
        series: backupJob('other-1', { at: 100, failed: 1, succeeded: 0 }),
        at: '5m',
      },
    },
  },
  SvcFormsBackupMissing: {
    firing: {
      series: { up: '1x200' },
      at: '1570m',
      every: '10m',
      fired: [
        {
          labels: { ...CRITICAL, namespace: 'svcforms', cronjob: 'backup' },
          summary: 'For 26 hours, Prometheus has known no successful backup',
        },
      ],
    },
    silent: {
      'a first backup within a day': {
        series: { [LAST_BACKUP]: '_x144 86400x144' },
        at: '1570m',
        every: '10m',
      },
      'a successful backup, however long ago': {
        series: { [LAST_BACKUP]: '0x200' },
        at: '1900m',
        every: '10m',
      },
    },
  },
};

it('has a case for every alert', () => {
  expect(Object.keys(CASES)).toEqual(alerts.map(({ name }) => name));
});

describeWith(['promtool'], 'the alerts', () => {
  it('have no mistakes that promtool knows', async () => {
    expect(await checkRules()).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  describe.each(Object.entries(CASES))('%s', (name, { firing, silent }) => {
    it('fires', () => expectAlert(name, firing));

    it.each(Object.entries(silent))('is silent with %s', (_, given) =>
      expectAlert(name, { ...given, fired: [] }),
    );

    it('fires beside a healthy installation in another namespace', () =>
      expectAlert(name, { ...firing, series: { ...elsewhere({ ...HEALTHY, ...UP }), ...firing.series } }));

    // Without series of its own, an alert about missing ones fires.
    if (!name.endsWith('Missing')) {
      it('is silent with what fires it in another namespace', () =>
        expectAlert(name, { ...firing, series: elsewhere(firing.series), fired: [] }));
    }
  });

  it.each(Object.keys(HEALTHY).map((series) => /^\w+/.exec(series)?.[0] ?? ''))(
    'report that %s is missing',
    async (metric) => {
      await expectAlert('SvcFormsMetricMissing', {
        series: without(HEALTHY, metric),
        at: '11m',
        fired: [
          {
            labels: { ...WARNING, namespace: 'svcforms', metric },
            summary: `No process exports ${metric}, so the alerts on it are blind`,
          },
        ],
      });
    },
  );

  it.each(SERVICES)('report that %s is missing', async (job) => {
    await expectAlert('SvcFormsServiceMissing', {
      series: without(UP, `"${job}"`),
      at: '6m',
      fired: [
        {
          labels: { ...CRITICAL, namespace: 'svcforms', job },
          summary: `Prometheus knows no process of ${job}`,
        },
      ],
    });
  });
});
