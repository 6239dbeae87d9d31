import type { Settings } from '@svcforms/runtime';

/** Where one kind of data goes, and in which format. */
export interface Signal {
  url: string;
  protocol: Settings['OTEL_EXPORTER_OTLP_PROTOCOL'];
  headers: Record<string, string>;
}

/** The signals that the settings turn on. Without an endpoint, a signal is off. */
export function signalsOf(settings: Settings): { traces: Signal | undefined; metrics: Signal | undefined } {
  const {
    OTEL_SDK_DISABLED: isDisabled,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  } = settings;
  const signalOf = (own: 'TRACES' | 'METRICS'): Signal | undefined => {
    const path = `v1/${own.toLowerCase()}`;
    const ownUrl = settings[`OTEL_EXPORTER_OTLP_${own}_ENDPOINT`];
    const url = ownUrl ?? (endpoint === undefined ? undefined : withPath(endpoint, path));
    if (isDisabled || settings[`OTEL_${own}_EXPORTER`] === 'none' || url === undefined) return undefined;
    return {
      url,
      protocol: settings[`OTEL_EXPORTER_OTLP_${own}_PROTOCOL`] ?? protocol,
      headers: { ...headers, ...settings[`OTEL_EXPORTER_OTLP_${own}_HEADERS`] },
    };
  };
  return { traces: signalOf('TRACES'), metrics: signalOf('METRICS') };
}

function withPath(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url.href;
}
