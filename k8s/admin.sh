#!/usr/bin/env bash
# k8s/admin.sh IMAGE COMMAND…: runs the admin command in its own pod, for what no running pod can do:
# `restore -` before the product starts, or `indexes ensure` of the next version. IMAGE is the image of
# forms-api. The pod has the settings and secrets of forms-api, or before that exists, those of the
# overlay: kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings. Uses the current kubectl
# context.
set -euo pipefail
image=${1:?which image of forms-api?}
shift

namespace=svcforms
env_from=$(kubectl -n $namespace get deployment forms-api --ignore-not-found \
  -o jsonpath='{.spec.template.spec.containers[?(@.name=="service")].envFrom}')
if [ -z "$env_from" ]; then
  settings=$(kubectl -n $namespace get configmap -l app.kubernetes.io/component=settings \
    --sort-by=.metadata.creationTimestamp -o name | tail -n 1)
  if [ -z "$settings" ]; then
    echo "k8s/admin.sh: the namespace $namespace has no settings: run kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings" >&2
    exit 78
  fi
  env_from='[{ "configMapRef": { "name": "'"${settings#configmap/}"'" } }, { "secretRef": { "name": "svcforms" } }]'
fi

# Satisfies the namespace's pod security, and passes the files of NATS.
overrides='{
  "apiVersion": "v1",
  "spec": {
    "automountServiceAccountToken": false,
    "enableServiceLinks": false,
    "securityContext": {
      "runAsNonRoot": true,
      "runAsUser": 10001,
      "runAsGroup": 10001,
      "seccompProfile": { "type": "RuntimeDefault" }
    },
    "containers": [
      {
        "name": "admin",
        "imagePullPolicy": "IfNotPresent",
        "envFrom": '$env_from',
        "volumeMounts": [{ "name": "nats", "mountPath": "/run/nats", "readOnly": true }],
        "resources": { "requests": { "cpu": "100m", "memory": "192Mi" }, "limits": { "memory": "512Mi" } },
        "securityContext": {
          "allowPrivilegeEscalation": false,
          "readOnlyRootFilesystem": true,
          "capabilities": { "drop": ["ALL"] }
        }
      }
    ],
    "volumes": [{ "name": "nats", "secret": { "secretName": "nats", "optional": true } }]
  }
}'
exec kubectl -n $namespace run admin --rm --stdin --quiet --restart=Never --image="$image" \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=svcforms \
  --override-type=strategic --overrides="$overrides" --command -- node admin.cjs "$@"
