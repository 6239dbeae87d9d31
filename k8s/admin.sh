#!/usr/bin/env bash
# k8s/admin.sh IMAGE COMMAND…: the admin command in a pod of its own, for what no running pod can do: `restore -` before the product
# starts, `indexes ensure` of a version that is yet to come. IMAGE is that of forms-api. Uses the current kubectl context.
set -euo pipefail
image=${1:?which image of forms-api?}
shift

# What the namespace asks of every pod, and the addresses of the engines.
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
        "resources": { "requests": { "cpu": "100m", "memory": "192Mi" }, "limits": { "memory": "512Mi" } },
        "securityContext": {
          "allowPrivilegeEscalation": false,
          "readOnlyRootFilesystem": true,
          "capabilities": { "drop": ["ALL"] }
        }
      }
    ]
  }
}'
exec kubectl -n svcforms run admin --rm --stdin --quiet --restart=Never --image="$image" \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=svcforms \
  --override-type=strategic --overrides="$overrides" --command -- node admin.cjs "$@"
