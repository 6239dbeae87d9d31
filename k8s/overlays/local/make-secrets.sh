#!/usr/bin/env bash
# Creates the Secrets of the local overlay with generated values: one per service and one for
# backups, each with its own NATS user. The MongoDB server has a single user, because its image
# creates no others. In an installation that exists, it adds what is missing, such as the users of a
# newer version, and keeps every password and key. For a restore, set SVC_ENCRYPTION_KEY in the
# environment; a key that is stored wins. Uses the current kubectl context.
set -euo pipefail
cd "$(dirname "$0")"

kubectl apply -f ../../base/namespace.yaml -f engines/namespace.yaml

# value NAMESPACE SECRET KEY: a value of a Secret; nothing if it doesn't exist.
value() { kubectl -n "$1" get secret "$2" --ignore-not-found -o "jsonpath={.data.$3}" | base64 -d; }

# Versions with one Secret for all services had the key there, and it stays behind when the key is
# rotated.
key=''
for secret in admin forms-api inbound-gateway hitl webhook-dispatcher svcforms; do
  key=${key:-$(value svcforms $secret SVC_ENCRYPTION_KEY)}
done
key=${key:-${SVC_ENCRYPTION_KEY:-$(openssl rand -base64 32)}}
password=$(value svcforms-engines mongo password)
if [ -z "$password" ]; then
  password=$(openssl rand -hex 24)
  kubectl -n svcforms-engines create secret generic mongo --from-literal=username=svcforms --from-literal=password="$password"
fi
mongodb="mongodb://svcforms:$password@mongo.svcforms-engines:27017/svcforms?authSource=admin"

# A start that was interrupted continues here, so that server and services agree on the passwords.
nats_users=()
for user in forms-api inbound-gateway hitl webhook-dispatcher embed-cdn admin backup; do
  variable=NATS_$(echo "$user" | tr a-z- A-Z_)_PASSWORD
  nats_password=$(value svcforms-engines nats-users "$variable")
  # A server would read a number from a value that begins with a digit.
  nats_password=${nats_password:-n$(openssl rand -hex 24)}
  nats_users+=(--from-literal="$variable=$nats_password")
  declare "$variable=$nats_password"
done
# An older one lacks the newer users.
kubectl -n svcforms-engines create secret generic nats-users "${nats_users[@]}" --dry-run=client -o yaml | kubectl apply -f -

apply() { kubectl -n svcforms create secret generic "$@" --dry-run=client -o yaml | kubectl apply -f -; }
# It needs no encryption key.
apply embed-cdn \
  --from-literal=MONGODB_URL="$mongodb" \
  --from-literal=NATS_URL="nats://embed-cdn:$NATS_EMBED_CDN_PASSWORD@nats.svcforms-engines:4222"
# It may be removed after the first start.
[ -n "$(kubectl -n svcforms get secret bootstrap forms-api --ignore-not-found -o name)" ] ||
  apply bootstrap --from-literal=email=owner@svcforms.local --from-literal=password="$(openssl rand -base64 24)"
for service in forms-api inbound-gateway hitl webhook-dispatcher admin; do
  variable=NATS_$(echo "$service" | tr a-z- A-Z_)_PASSWORD
  own_key=$(value svcforms "$service" SVC_ENCRYPTION_KEY)
  apply "$service" \
    --from-literal=MONGODB_URL="$mongodb" \
    --from-literal=NATS_URL="nats://$service:${!variable}@nats.svcforms-engines:4222" \
    --from-literal=SVC_ENCRYPTION_KEY="${own_key:-$key}"
done
# A backup needs no encryption key.
apply backup \
  --from-literal=MONGODB_URL="$mongodb" \
  --from-literal=NATS_URL="nats://backup:$NATS_BACKUP_PASSWORD@nats.svcforms-engines:4222"
