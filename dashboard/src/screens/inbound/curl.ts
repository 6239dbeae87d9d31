import { shellWord } from '../../components/shell-word.ts';

/** Commands for a POSIX shell. */
export function curlCommands(
  url: string,
  body: Record<string, unknown>,
): { plain: string; signed: string; timestamped: string } {
  const json = shellWord(JSON.stringify(body));
  return {
    plain: `TOKEN='svc_inb_…'
curl ${shellWord(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-binary ${json}`,
    signed: `TOKEN='svc_inb_…'
SECRET='…'
BODY=${json}
SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl ${shellWord(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "X-SvcForms-Signature-256: sha256=$SIGNATURE" \\
  --data-binary "$BODY"`,
    timestamped: `TOKEN='svc_inb_…'
SECRET='…'
BODY=${json}
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf %s "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl ${shellWord(url)} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "X-SvcForms-Timestamp: $TIMESTAMP" \\
  -H "X-SvcForms-Signature-256: sha256=$SIGNATURE" \\
  --data-binary "$BODY"`,
  };
}
