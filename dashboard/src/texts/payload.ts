import type { PayloadFormat } from '@svcforms/contracts';

/** The payload setting of a webhook, and its preview. */
export const payloadTexts = {
  format: 'Payload format',
  formatHint: 'What we send as request body. The signature always covers the bytes that we send.',
  /** In the order of the select. */
  formats: {
    envelope: { label: 'Envelope (default)', hint: 'The event with its type, ids, time and data, as JSON.' },
    data: { label: 'Data only', hint: 'Only the data of the event, such as the submitted values.' },
    template: { label: 'Template', hint: 'A JSON body that you write yourself, for any API.' },
    slack: { label: 'Slack', hint: 'A message for an incoming webhook of Slack.' },
    discord: { label: 'Discord', hint: 'A message for a webhook of a Discord channel. It mentions nobody.' },
    teams: {
      label: 'Microsoft Teams',
      hint: 'An Adaptive Card for a Teams workflow that starts with a webhook request.',
    },
    'google-chat': { label: 'Google Chat', hint: 'A card for a webhook of a Google Chat space.' },
  } satisfies Record<PayloadFormat, { label: string; hint: string }>,
  template: 'Template',
  templateHint:
    'Liquid. Values inside quotes are escaped: "{{ data.email }}". A whole value: {{ data | json }}. Also: eventType, timestamp, formId, submissionId, metadata, event.title, event.url, form.name, and the list fields with label and text.',
  starter: `{
  "title": "{{ event.title }}",
  "url": "{{ event.url }}",
  "fields": [
    {%- for field in fields %}
    { "label": "{{ field.label }}", "text": "{{ field.text }}" }{% unless forloop.last %},{% endunless %}
    {%- endfor %}
  ]
}`,
  goToLine: (line: number) => `Go to line ${line}`,
  at: (line: number, column: number) => `Line ${line}, column ${column}`,
  preview: {
    title: 'Preview',
    event: 'Event',
    sample: (type: string) => `Sample: ${type}`,
    recent: (type: string, at: string) => `${type}, ${at}`,
    body: 'Request body',
    size: (contentType: string, bytes: number) => `${contentType}, ${bytes} bytes`,
    failed: 'With this event, nothing would be sent',
    inBody: 'in the rendered body',
    loading: 'Rendering…',
  },
} as const;
