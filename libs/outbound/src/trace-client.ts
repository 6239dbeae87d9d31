import { parseUrl, type Span, type Tracing } from '@svcforms/primitives';
import type { GuardedClient } from './guarded-client.ts';
import type { PostRequest, PostResult } from './send-request.ts';

/**
 * A client whose requests are spans of a trace, which the receiver can continue by the headers that
 * it gets. URLs contain secrets, so spans only have their host and port.
 */
export function traceClient<C extends Pick<GuardedClient, 'post'>>(
  client: C,
  tracing: Tracing | undefined,
): C {
  if (!tracing) return client;
  return {
    ...client,
    post(request) {
      const span = tracing.startSpan('POST', { kind: 'client', parent: request.span?.parent });
      const sent = client.post({
        ...request,
        headers: { ...request.headers, ...tracing.inject(span.context) },
      });
      return span.isRecording ? record(span, request, sent) : sent;
    },
  };
}

/** Ends the span with the request. */
async function record(span: Span, request: PostRequest, sent: Promise<PostResult>): Promise<PostResult> {
  let result: PostResult | undefined;
  try {
    result = await sent;
    return result;
  } finally {
    span.end({ attributes: attributesOf(request, result), error: errorOf(result) });
  }
}

function attributesOf({ url, span }: PostRequest, result: PostResult | undefined) {
  const target = parseUrl(url) ?? undefined;
  return {
    'http.request.method': 'POST',
    'server.address': target?.hostname,
    'server.port': target && Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
    ...(result && 'status' in result && { 'http.response.status_code': result.status }),
    ...span?.attributes,
  };
}

/** The request was cancelled when it has no result. */
function errorOf(result: PostResult | undefined): string | undefined {
  if (!result) return 'cancelled';
  if ('error' in result) return result.error;
  return result.status >= 400 ? String(result.status) : undefined;
}
