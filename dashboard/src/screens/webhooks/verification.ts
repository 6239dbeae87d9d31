/**
 * Functions that verify `Svc-Signature` in a webhook endpoint: over the raw body, in constant time,
 * at most 300 s old, and with both signatures during a secret rotation.
 * docs/reference/webhooks.md#verify-signatures
 */
export const VERIFICATION = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: a Buffer with the bytes as received, before JSON.parse (Express: express.raw({ type: '*/*' })).
export function isGenuine(rawBody, header, secret) {
  const parts = String(header).split(',').map((part) => part.trim().split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// if (!isGenuine(rawBody, request.headers['svc-signature'], process.env.SVC_WEBHOOK_SECRET)) respond with 401
`,
  Python: `import hashlib
import hmac
import time


# raw_body: the bytes as received (Flask: request.get_data(), Django: request.body, FastAPI: await request.body()).
def is_genuine(raw_body: bytes, header: str, secret: str) -> bool:
    parts = [part.strip().partition("=")[::2] for part in header.split(",")]
    t = next((value for name, value in parts if name == "t"), "")
    if not (t.isascii() and t.isdigit() and len(t) < 16) or abs(time.time() - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return any(
        name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts
    )


# if not is_genuine(raw_body, headers.get("Svc-Signature", ""), os.environ["SVC_WEBHOOK_SECRET"]): respond with 401
`,
  PHP: `<?php
// $rawBody: file_get_contents('php://input'), before json_decode.
function isGenuine(string $rawBody, string $header, string $secret): bool
{
    if (!preg_match('/(?:^|,)\\s*t=(\\d{1,15})\\s*(?:,|$)/', $header, $time) || abs(time() - (int) $time[1]) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $time[1] . '.' . $rawBody, $secret);
    preg_match_all('/v1=([0-9a-f]{64})/', $header, $given);
    foreach ($given[1] as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// if (!isGenuine($rawBody, $_SERVER['HTTP_SVC_SIGNATURE'] ?? '', getenv('SVC_WEBHOOK_SECRET'))) { http_response_code(401); exit; }
`,
  Go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the body as it was read, before json.Unmarshal.
func IsGenuine(rawBody []byte, header, secret string) bool {
	var t string
	var given []string
	for _, part := range strings.Split(header, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			t = value
		case "v1":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, text := range given {
		if signature, err := hex.DecodeString(text); err == nil && hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}

// if !webhooks.IsGenuine(rawBody, r.Header.Get("Svc-Signature"), os.Getenv("SVC_WEBHOOK_SECRET")) { respond with 401 }
`,
} as const;

export type VerificationLanguage = keyof typeof VERIFICATION;
