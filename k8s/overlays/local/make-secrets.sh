#!/usr/bin/env bash
# Creates the Secrets of the local overlay with generated values, unless they exist. For a restore, set
# SVC_ENCRYPTION_KEY in the environment. Uses the current kubectl context.
set -euo pipefail
cd "$(dirname "$0")"

kubectl apply -f ../../base/namespace.yaml -f engines/namespace.yaml
kubectl -n svcforms get secret svcforms >/dev/null 2>&1 && exit 0

password=$(openssl rand -hex 24)
kubectl -n svcforms-engines create secret generic mongo --from-literal=username=svcforms --from-literal=password="$password"
kubectl -n svcforms create secret generic svcforms \
  --from-literal=MONGODB_URL="mongodb://svcforms:$password@mongo.svcforms-engines:27017/svcforms?authSource=admin" \
  --from-literal=NATS_URL=nats://nats.svcforms-engines:4222 \
  --from-literal=SVC_ENCRYPTION_KEY="${SVC_ENCRYPTION_KEY:-$(openssl rand -base64 32)}"
