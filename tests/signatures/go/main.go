// Verifies a webhook request, as JSON on the standard input, with the Go library of Standard Webhooks and its public
// key with crypto/ed25519. Prints what failed, or "verified".
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secret    string            `json:"secret"`
	PublicKey string            `json:"publicKey"`
	Headers   map[string]string `json:"headers"`
	Body      string            `json:"body"`
}

func main() {
	var received request
	if err := json.NewDecoder(os.Stdin).Decode(&received); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	headers := http.Header{}
	for name, value := range received.Headers {
		headers.Set(name, value)
	}
	var failed []string
	if !verifySecret(received, headers) {
		failed = append(failed, "v1")
	}
	if !verifyPublicKey(received, headers) {
		failed = append(failed, "v1a")
	}
	if len(failed) > 0 {
		fmt.Println("failed:", strings.Join(failed, " "))
		return
	}
	fmt.Println("verified")
}

func verifySecret(received request, headers http.Header) bool {
	webhook, err := standardwebhooks.NewWebhook(received.Secret)
	return err == nil && webhook.Verify([]byte(received.Body), headers) == nil
}

func verifyPublicKey(received request, headers http.Header) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(received.PublicKey, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	signed := headers.Get("webhook-id") + "." + headers.Get("webhook-timestamp") + "." + received.Body
	for _, part := range strings.Split(headers.Get("webhook-signature"), " ") {
		encoded, isPublicKey := strings.CutPrefix(part, "v1a,")
		signature, err := base64.StdEncoding.DecodeString(encoded)
		if isPublicKey && err == nil && ed25519.Verify(key, []byte(signed), signature) {
			return true
		}
	}
	return false
}
