/**
 * Functions that verify the public-key signature (`v1a`) in a webhook endpoint: over the id, the
 * time and the raw body, at most 300 s old. docs/reference/webhooks.md#public-key-signature
 */
export const PUBLIC_KEY_VERIFICATION = {
  'Node.js': `import { createPublicKey, verify } from 'node:crypto';

// rawBody: a Buffer with the bytes as received, before JSON.parse. headers: request.headers. publicKey: whpk_…
export function isGenuine(rawBody, headers, publicKey) {
  const { 'webhook-id': id, 'webhook-timestamp': t, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false;
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.concat([Buffer.from(\`\${id}.\${t}.\`), rawBody]);
  return signatures
    .split(' ')
    .some((each) => each.startsWith('v1a,') && verify(null, signed, key, Buffer.from(each.slice(4), 'base64')));
}

// if (!isGenuine(rawBody, request.headers, process.env.SVC_WEBHOOK_PUBLIC_KEY)) respond with 401
`,
  Python: `# pip install cryptography
import base64
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


# raw_body: the bytes as received (Flask: request.get_data(), Django: request.body, FastAPI: await request.body()).
def is_genuine(raw_body: bytes, headers, public_key: str) -> bool:
    t = headers.get("webhook-timestamp", "")
    if not (t.isascii() and t.isdigit() and len(t) < 16) or abs(time.time() - int(t)) > 300:
        return False
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    signed = f"{headers.get('webhook-id', '')}.{t}.".encode() + raw_body
    for each in headers.get("webhook-signature", "").split(" "):
        if each.startswith("v1a,"):
            try:
                key.verify(base64.b64decode(each[4:]), signed)
                return True
            except (InvalidSignature, ValueError):
                pass
    return False


# if not is_genuine(raw_body, request.headers, os.environ["SVC_WEBHOOK_PUBLIC_KEY"]): respond with 401
`,
  PHP: `<?php
// $rawBody: file_get_contents('php://input'), before json_decode. $headers: names in lower case.
function isGenuine(string $rawBody, array $headers, string $publicKey): bool
{
    $t = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^\\d{1,15}$/D', $t) || abs(time() - (int) $t) > 300) {
        return false;
    }
    $key = base64_decode(substr($publicKey, strlen('whpk_')));
    $signed = ($headers['webhook-id'] ?? '') . '.' . $t . '.' . $rawBody;
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $each) {
        $signature = str_starts_with($each, 'v1a,') ? (string) base64_decode(substr($each, 4), true) : '';
        if (strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES && sodium_crypto_sign_verify_detached($signature, $signed, $key)) {
            return true;
        }
    }
    return false;
}

// $headers = array_change_key_case(getallheaders());
// if (!isGenuine($rawBody, $headers, getenv('SVC_WEBHOOK_PUBLIC_KEY'))) { http_response_code(401); exit; }
`,
  Go: `package webhooks

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the body as it was read, before json.Unmarshal.
func IsGenuine(rawBody []byte, headers http.Header, publicKey string) bool {
	t := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(t, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > 300 || age < -300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(publicKey, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	signed := append([]byte(headers.Get("webhook-id")+"."+t+"."), rawBody...)
	for _, each := range strings.Split(headers.Get("webhook-signature"), " ") {
		text, isPublicKeySignature := strings.CutPrefix(each, "v1a,")
		signature, err := base64.StdEncoding.DecodeString(text)
		if isPublicKeySignature && err == nil && ed25519.Verify(key, signed, signature) {
			return true
		}
	}
	return false
}

// if !webhooks.IsGenuine(rawBody, r.Header, os.Getenv("SVC_WEBHOOK_PUBLIC_KEY")) { respond with 401 }
`,
} as const;
