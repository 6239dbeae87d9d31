#!/usr/bin/env bash
# k8s/admin.sh IMAGE COMMAND…: runs the admin command in its own pod, for what no running pod can do:
# `restore -` before the product starts, or `indexes ensure` of the next version. IMAGE is the image of
# forms-api. Uses the current kubectl context.
set -euo pipefail
image=${1:?which image of forms-api?}
shift

# Satisfies the namespace's pod security, and passes the URLs of MongoDB and NATS and the files of NATS.
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
        "envFrom": [{ "secretRef": { "name": "svcforms" } }],
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
exec kubectl -n svcforms run admin --rm --stdin --quiet --restart=Never --image="$image" \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=svcforms \
  --override-type=strategic --overrides="$overrides" --command -- node admin.cjs "$@"
