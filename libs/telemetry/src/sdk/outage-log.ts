import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { Logger } from '@svcforms/primitives';
import { errorLine } from '@svcforms/runtime';

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Logs one line when exports begin to fail, and one when they work again. */
export function createOutageLog(log: Pick<Logger, 'info' | 'warn'>) {
  const failing = new Set<string>();

  function note(signal: string, url: string, { code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) {
      if (failing.delete(signal) && failing.size === 0)
        log.info({ event: 'telemetry.resumed' }, 'the OpenTelemetry collector accepts data again');
      return;
    }
    const isFirst = failing.size === 0;
    failing.add(signal);
    if (!isFirst) return;
    // A URL may contain a key of its provider in its path or query.
    const collector = new URL(url).origin;
    log.warn(
      { event: 'telemetry.unavailable', signal, collector, reason: errorLine(error) },
      'the OpenTelemetry collector accepts no data; spans and metrics are lost until it does',
    );
  }

  return {
    /** Has the results of an exporter logged. */
    watch<Items, E extends Exporter<Items>>(signal: string, url: string, exporter: E & Exporter<Items>): E {
      const send = exporter.export.bind(exporter);
      exporter.export = (items, done) =>
        send(items, (result) => {
          note(signal, url, result);
          done(result);
        });
      return exporter;
    },
  };
}
