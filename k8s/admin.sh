#!/usr/bin/env bash
# k8s/admin.sh IMAGE COMMAND…: runs the admin command in its own pod, with its own Secret `admin`
# (MONGODB_URL, NATS_URL, SVC_ENCRYPTION_KEY): no service has the rights of an operator. IMAGE is
# the image of forms-api. The pod has the settings, the pull secrets and the volume for backups of
# the installation. Before that exists, the settings are those that the message below creates,
# IMAGE_PULL_SECRETS names the pull secrets, separated by spaces, and BACKUP_CLAIM the
# PersistentVolumeClaim with the backups, if its name isn't `backups`. Uses the current kubectl
# context.
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
  cat >&2 <<EOF
k8s/admin.sh: the namespace $namespace has no settings: run
  kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings
or, with Helm,
  helm template RELEASE deploy/helm/svcforms -n $namespace --values VALUES -s templates/settings.yaml | kubectl apply -f -
EOF
  exit 78
fi

if [ -z "${IMAGE_PULL_SECRETS-}" ]; then
  IMAGE_PULL_SECRETS=$(kubectl -n $namespace get deployment forms-api --ignore-not-found \
    -o jsonpath='{.spec.template.spec.imagePullSecrets[*].name}')
fi
pull_secrets=''
for name in $IMAGE_PULL_SECRETS; do
  pull_secrets="$pull_secrets${pull_secrets:+, }{ \"name\": \"$name\" }"
done

# Backups on a volume: components/backup-volume, or backup.volume.claim of the chart.
claim=${BACKUP_CLAIM-}
if [ -z "$claim" ]; then
  claim=$(kubectl -n $namespace get cronjob backup --ignore-not-found \
    -o jsonpath='{.spec.jobTemplate.spec.template.spec.volumes[?(@.name=="backups")].persistentVolumeClaim.claimName}')
fi
if [ -z "$claim" ] && [ -n "$(kubectl -n $namespace get persistentvolumeclaim backups --ignore-not-found -o name)" ]; then
  claim=backups
fi
backups_mount='' backups_volume=''
if [ -n "$claim" ]; then
  backups_mount=', { "name": "backups", "mountPath": "/backups" }'
  backups_volume=', { "name": "backups", "persistentVolumeClaim": { "claimName": "'"$claim"'" } }'
fi

# Backups may get into their bucket by the identity of their pod.
account=default
if [ -n "$(kubectl -n $namespace get serviceaccount backup --ignore-not-found -o name)" ]; then account=backup; fi

# Satisfies the namespace's pod security, and passes the files of NATS, MongoDB and the bucket. The
# Secret `backup` has the access key of the bucket; what the Secret `admin` has, too, wins.
overrides='{
  "apiVersion": "v1",
  "spec": {
    "serviceAccountName": "'"$account"'",
    "automountServiceAccountToken": false,
    "enableServiceLinks": false,
    "imagePullSecrets": ['"$pull_secrets"'],
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
          { "name": "certificates", "mountPath": "/run/certificates", "readOnly": true },
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
      { "name": "certificates", "configMap": { "name": "certificates", "optional": true } },
      { "name": "tmp", "emptyDir": {} }'"$backups_volume"'
    ]
  }
}'
# The command starts when it has read a line: before that, kubectl may not show its output yet. A
# node that doesn't have the image yet needs time to pull it.
{ echo; cat; } | kubectl -n $namespace run admin --rm --stdin --quiet --restart=Never --image="$image" \
  --pod-running-timeout=5m \
  --labels=app.kubernetes.io/name=admin,app.kubernetes.io/part-of=svcforms \
  --override-type=strategic --overrides="$overrides" --command -- \
  sh -c 'read -r _; exec node admin.cjs "$@"' admin "$@"
