import { isWebhookEventType } from '@svcforms/contracts';
import { DURABLES, type DeliveredMessage } from '@svcforms/event-bus';
import type { Span, Tracing } from '@svcforms/primitives';

/**
 * Processes a batch of messages with a span for each event that webhooks can subscribe to. The
 * event that `process` gets has that span as its trace, so that deliveries continue it. An event
 * without a trace begins one.
 */
export async function traceProcessing<R>(
  tracing: Tracing | undefined,
  batch: readonly DeliveredMessage[],
  process: (batch: readonly DeliveredMessage[]) => Promise<R>,
): Promise<R> {
  if (!tracing) return process(batch);
  const recorded: { span: Span; message: DeliveredMessage }[] = [];
  const traced = batch.map((message) => {
    const { event } = message;
    // Other types of events are for the event stream.
    if (!isWebhookEventType(event.type)) return message;
    const span = tracing.startSpan('process events', { kind: 'consumer', parent: event.trace });
    // A trace that isn't recorded stays as it is.
    if (span.context === event.trace) return message;
    if (span.isRecording) recorded.push({ span, message });
    return { ...message, event: { ...event, trace: span.context } };
  });
  if (recorded.length === 0) return process(traced);
  const end = (error?: string) => {
    for (const { span, message } of recorded) span.end({ attributes: attributesOf(message), error });
  };
  try {
    const result = await process(traced);
    end();
    return result;
  } catch (error) {
    end(error instanceof Error ? error.name : 'error');
    throw error;
  }
}

function attributesOf({ event }: DeliveredMessage) {
  return {
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'events',
    'messaging.consumer.group.name': DURABLES.fanOut,
    'messaging.message.id': event.id,
    'svcforms.event.type': event.type,
    'svcforms.form.id': event.formId,
    'svcforms.submission.id': event.submissionId,
    'svcforms.task.id': event.taskId,
  };
}
