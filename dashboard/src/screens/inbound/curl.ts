import type { FieldMapping, FormField } from '@svcforms/contracts';

/** A valid body for the form: a sample value for each field, with the keys of the mapping. */
export function sampleBody(fields: readonly FormField[], mapping: FieldMapping): Record<string, unknown> {
  const keyOf = new Map(Object.entries(mapping).map(([key, field]) => [field, key]));
  return Object.fromEntries(fields.map((field) => [keyOf.get(field.name) ?? field.name, sampleValue(field)]));
}

function sampleValue({ type, options = [], min, minLength = 0 }: FormField): unknown {
  const first = options[0]?.value ?? '';
  switch (type) {
    case 'email':
      return 'ada@example.com';
    case 'tel':
      return '+44 20 7946 0000';
    case 'url':
      return 'https://example.com/';
    case 'number':
    case 'rating':
      return typeof min === 'number' ? min : 1;
    case 'date':
      return typeof min === 'string' ? min : '2030-01-31';
    case 'time':
      return typeof min === 'string' ? min : '09:30';
    case 'checkbox':
      return true;
    case 'checkboxes':
      return first === '' ? [] : [first];
    case 'select':
    case 'radio':
      return first;
    default:
      return 'Sample'.padEnd(minLength, '.');
  }
}

/** Commands for a POSIX shell. */
export function curlCommands(
  url: string,
  body: Record<string, unknown>,
): { plain: string; signed: string; timestamped: string } {
  const json = quoted(JSON.stringify(body));
  return {
    plain: `TOKEN='svc_inb_…'
curl ${quoted(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-binary ${json}`,
    signed: `TOKEN='svc_inb_…'
SECRET='…'
BODY=${json}
SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl ${quoted(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "X-SvcForms-Signature-256: sha256=$SIGNATURE" \\
  --data-binary "$BODY"`,
    timestamped: `TOKEN='svc_inb_…'
SECRET='…'
BODY=${json}
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf %s "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl ${quoted(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "X-SvcForms-Timestamp: $TIMESTAMP" \\
  -H "X-SvcForms-Signature-256: sha256=$SIGNATURE" \\
  --data-binary "$BODY"`,
  };
}

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
