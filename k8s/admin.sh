#!/usr/bin/env bash
# k8s/admin.sh IMAGE COMMAND…: runs the admin command in its own pod, with its own Secret `admin`
# (MONGODB_URL, NATS_URL, SVC_ENCRYPTION_KEY): no service has the rights of an operator. IMAGE is the image
# of forms-api. The pod has the settings of forms-api, or before that exists, those of the overlay:
# kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings. Uses the current kubectl context.
set -euo pipefail
image=${1:?which image of forms-api?}
shift

namespace=svcforms
settings=$(kubectl -n $namespace get deployment forms-api --ignore-not-found \
  -o jsonpath='{.spec.template.spec.containers[?(@.name=="service")].envFrom[*].configMapRef.name}')
if [ -z "$settings" ]; then
  settings=$(kubectl -n $namespace get configmap -l app.kubernetes.io/component=settings \
    --sort-by=.metadata.creationTimestamp -o name | tail -n 1)
  settings=${settings#configmap/}
fi
if [ -z "$settings" ]; then
  echo "k8s/admin.sh: the namespace $namespace has no settings: run kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings" >&2
  exit 78
fi

# Backups on a volume: components/backup-volume.
backups_mount='' backups_volume=''
if [ -n "$(kubectl -n $namespace get persistentvolumeclaim backups --ignore-not-found -o name)" ]; then
  backups_mount=', { "name": "backups", "mountPath": "/backups" }'
  backups_volume=', { "name": "backups", "persistentVolumeClaim": { "claimName": "backups" } }'
fi

# Satisfies the namespace's pod security, and passes the files of NATS and MongoDB. The Secret `backup` has the
# access key of the bucket; what the Secret `admin` has, too, wins.
overrides='{
  "apiVersion": "v1",
  "spec": {
    "automountServiceAccountToken": false,
    "enableServiceLinks": false,
    "securityContext": {
      "runAsNonRoot": true,
      "runAsUser": 10001,
      "runAsGroup": 10001,
      "fsGroup": 10001,
      "seccompProfile": { "type": "RuntimeDefault" }
    },
    "containers": [
      {
        "name": "admin",
        "imagePullPolicy": "IfNotPresent",
        "envFrom": [
          { "configMapRef": { "name": "'"$settings"'" } },
          { "secretRef": { "name": "backup", "optional": true } },
          { "secretRef": { "name": "admin" } }
        ],
        "volumeMounts": [
          { "name": "nats", "mountPath": "/run/nats", "readOnly": true },
          { "name": "mongodb", "mountPath": "/run/mongodb", "readOnly": true },
          { "name": "tmp", "mountPath": "/tmp" }'"$backups_mount"'
        ],
        "resources": { "requests": { "cpu": "100m", "memory": "192Mi" }, "limits": { "memory": "512Mi" } },
        "securityContext": {
          "allowPrivilegeEscalation": false,
          "readOnlyRootFilesystem": true,
          "capabilities": { "drop": ["ALL"] }
        }
      }
    ],
    "volumes": [
      {
        "name": "nats",
        "projected": {
          "sources": [
            { "secret": { "name": "nats-admin", "optional": true } },
            { "configMap": { "name": "nats-ca", "optional": true } }
          ]
        }
      },
      { "name": "mongodb", "configMap": { "name": "mongodb-ca", "optional": true } },
      { "name": "tmp", "emptyDir": {} }'"$backups_volume"'
    ]
  }
}'
# The command starts when it has read a line: before that, kubectl may not show its output yet.
{ echo; cat; } | kubectl -n $namespace run admin --rm --stdin --quiet --restart=Never --image="$image" \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=svcforms \
  --override-type=strategic --overrides="$overrides" --command -- \
  sh -c 'read -r _; exec node admin.cjs "$@"' admin "$@"
