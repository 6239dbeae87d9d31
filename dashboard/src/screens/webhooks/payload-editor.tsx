import { NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import type { PayloadFormat, WebhookPayload } from '@svcforms/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { payloadPreviewQuery } from '../../api/payload-preview.ts';
import type { AnyWebhook } from '../../api/webhooks.ts';
import { payloadTexts as texts } from '../../texts/payload.ts';
import { PayloadPreview } from './payload-preview.tsx';
import { TemplateInput } from './template-input.tsx';

/** The setting as the dialog edits it: another format keeps the template. */
export interface PayloadValue {
  format: PayloadFormat;
  template: string;
}

const FORMATS = Object.keys(texts.formats) as PayloadFormat[];
const TYPING_ENDS_AFTER_MS = 400;

export const payloadValueOf = (webhook: Pick<AnyWebhook, 'payload'> | null): PayloadValue => ({
  format: webhook?.payload?.format ?? 'envelope',
  template: webhook?.payload?.template ?? texts.starter,
});

export const payloadOf = ({ format, template }: PayloadValue): WebhookPayload =>
  format === 'template' ? { format, template } : { format };

/** The width of the dialog: a preview needs room beside the inputs. */
export const payloadWidth = ({ format }: PayloadValue): string => (format === 'envelope' ? 'lg' : '72rem');

/** The format, the template and a preview of what it makes of an event. */
export function PayloadEditor({
  formId,
  webhook,
  value,
  onChange,
  error,
}: {
  formId: string | undefined;
  /** Absent while it isn't saved. */
  webhook: AnyWebhook | null;
  value: PayloadValue;
  onChange: (value: PayloadValue) => void;
  error: ReactNode;
}) {
  const [event, setEvent] = useState<{ deliveryId?: string; eventType?: AnyWebhook['events'][number] }>({});
  const [payload] = useDebouncedValue(payloadOf(value), TYPING_ENDS_AFTER_MS);
  const isPreviewed =
    value.format !== 'envelope' && (payload.template !== '' || payload.format !== 'template');
  const preview = useQuery({ ...payloadPreviewQuery(formId, { payload, ...event }), enabled: isPreviewed });
  const problem = preview.data?.error ?? null;
  const isTemplate = value.format === 'template';
  return (
    <Stack gap="sm">
      <NativeSelect
        label={texts.format}
        description={`${texts.formatHint} ${texts.formats[value.format].hint}`}
        data={FORMATS.map((format) => ({ value: format, label: texts.formats[format].label }))}
        value={value.format}
        onChange={({ currentTarget }) => onChange({ ...value, format: currentTarget.value as PayloadFormat })}
        error={isTemplate ? undefined : error}
      />
      {value.format !== 'envelope' && (
        <SimpleGrid cols={{ base: 1, md: isTemplate ? 2 : 1 }}>
          {isTemplate && (
            <TemplateInput
              value={value.template}
              onChange={(template) => onChange({ ...value, template })}
              problem={problem?.in === 'template' ? problem : null}
              error={error}
            />
          )}
          <PayloadPreview
            {...{ formId, webhook, event }}
            onEvent={setEvent}
            preview={preview}
            isPretty={!isTemplate}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
