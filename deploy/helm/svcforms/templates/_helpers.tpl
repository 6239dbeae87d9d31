{{- define "svcforms.labels" -}}
app.kubernetes.io/part-of: svcforms
app.kubernetes.io/version: {{ .Chart.AppVersion }}
{{- end }}

{{/* The image of a service: dict "root" $ "name" NAME */}}
{{- define "svcforms.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := get $image.digests .name -}}
{{ $image.registry }}/{{ .name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ with $digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The settings of all services, which hold no secrets. */}}
{{- define "svcforms.settings" -}}
{{- $settings := merge (dict "SVC_BASE_URL" (printf "https://%s" .Values.host)) .Values.settings -}}
{{- with .Values.outboundProxy.url }}{{ $settings = set $settings "SVC_OUTBOUND_PROXY" . }}{{ end -}}
{{- with .Values.backup }}
{{- if .enabled }}
{{- $settings = set $settings "SVC_BACKUP_KEEP_DAYS" (toString .keepDays) }}
{{- with .keepCount }}{{ $settings = set $settings "SVC_BACKUP_KEEP_COUNT" (toString .) }}{{ end }}
{{- if .bucket }}
{{- $settings = set $settings "SVC_BACKUP_S3_BUCKET" .bucket }}
{{- with .endpoint }}{{ $settings = set $settings "SVC_BACKUP_S3_ENDPOINT" . }}{{ end }}
{{- $settings = set $settings "SVC_BACKUP_S3_REGION" .region }}
{{- else }}
{{- $settings = set $settings "SVC_BACKUP_DIR" "/backups" }}
{{- end }}
{{- end }}
{{- end }}
{{ toYaml $settings }}
{{- end }}

{{/* The name contains a hash of the content, so that a changed setting restarts the pods, and older pods keep theirs. */}}
{{- define "svcforms.settingsName" -}}
settings-{{ include "svcforms.settings" . | sha256sum | trunc 10 }}
{{- end }}

{{/* A ConfigMap with settings: dict "root" $ "name" NAME "data" YAML */}}
{{- define "svcforms.settingsMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    # k8s/admin.sh finds it by this label before the services exist.
    app.kubernetes.io/component: settings
    {{- include "svcforms.labels" .root | nindent 4 }}
data:
  {{- .data | nindent 2 }}
{{- end }}

{{/* Refuses settings that belong elsewhere, and says where. The schema refuses unknown ones. */}}
{{- define "svcforms.checkSettings" -}}
{{- $instead := dict
  "SVC_BASE_URL" "set host: the base URL is https://HOST"
  "SVC_PORT" "remove it: Services, probes and network policies use port 8080"
  "SVC_DATA_DIR" "remove it: webhook-dispatcher has a volume at /data"
  "SVC_OUTBOUND_PROXY" "set outboundProxy.url, outboundProxy.cidr and outboundProxy.port"
  "SVC_BACKUP_DIR" "set backup.volume.claim"
  "SVC_BACKUP_S3_BUCKET" "set backup.bucket"
  "SVC_BACKUP_S3_ENDPOINT" "set backup.endpoint"
  "SVC_BACKUP_S3_REGION" "set backup.region"
  "SVC_BACKUP_KEEP_DAYS" "set backup.keepDays"
  "SVC_BACKUP_KEEP_COUNT" "set backup.keepCount"
}}
{{- $secrets := dict
  "MONGODB_URL" "the Secret of each service"
  "NATS_URL" "the Secret of each service"
  "SMTP_URL" "the Secret mail, as smtpUrl"
  "SVC_ENCRYPTION_KEY" "the Secrets forms-api, inbound-gateway, webhook-dispatcher, hitl and admin"
  "SVC_METRICS_TOKEN" "the Secret of each service"
  "SVC_BOOTSTRAP_PASSWORD" "the Secret bootstrap, as password"
  "SVC_BOOTSTRAP_API_KEY" "the Secret bootstrap, as apiKey"
  "SVC_OIDC_CLIENT_SECRET" "the Secret forms-api"
  "SVC_SLACK_SIGNING_SECRET" "the Secret slack, as signingSecret"
  "SVC_SLACK_BOT_TOKEN" "the Secret slack, as botToken"
  "SVC_BACKUP_S3_ACCESS_KEY_ID" "the Secret backup"
  "SVC_BACKUP_S3_SECRET_ACCESS_KEY" "the Secret backup"
}}
{{- range $name, $_ := .Values.settings }}
{{- with get $instead $name }}{{ fail (printf "settings.%s can't be set here; %s" $name .) }}{{ end }}
{{- with get $secrets $name }}{{ fail (printf "settings.%s is a secret, and settings are in a ConfigMap; put it into %s" $name .) }}{{ end }}
{{- end }}
{{- if not (has (get .Values.settings "SVC_HOST") (list "" "0.0.0.0" "::")) }}
{{- fail "settings.SVC_HOST must be 0.0.0.0 or ::, because probes and other pods reach a pod at its own address" }}
{{- end }}
{{- /*
  The policy to-listeners allows only what every installation needs. A proxy makes the connections to webhooks, but no
  lookups, and forms-api calls the identity provider without it.
*/}}
{{- $allowed := "public addresses, port 443 and ports from 1024" }}
{{- $provider := "the addresses and the port of the identity provider" }}
{{- $targets := dict
  "SVC_ALLOWED_TARGETS" "the private addresses and their ports"
  "SVC_ALLOW_HTTP" "the addresses and the ports of http, such as 80"
}}
{{- if .Values.outboundProxy.url }}
{{- $allowed = "the outbound proxy" }}
{{- $targets = dict "SVC_OIDC_ISSUER" $provider }}
{{- else if include "svcforms.isPrivateHost" (get .Values.settings "SVC_OIDC_ISSUER") }}
{{- $targets = set $targets "SVC_OIDC_ISSUER" $provider }}
{{- end }}
{{- $targets = set $targets "SVC_DNS_SERVERS" "the name servers, with the port 53 of UDP and TCP" }}
{{- if not .Values.networkPolicies.egress }}
{{- range $name, $rule := $targets }}
{{- if not (has (get $.Values.settings $name) (list "" "false")) }}
{{- fail (printf "settings.%s is set, but the network policies allow only %s; add to networkPolicies.egress an egress rule with %s" $name $allowed $rule) }}
{{- end }}
{{- end }}
{{- end }}
{{- if contains "@" .Values.image.tag }}
{{- fail "image.tag has a digest; set the tag alone, and the digest of each image in image.digests" }}
{{- end }}
{{- if not (regexMatch "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$" .Values.image.tag) }}
{{- fail "image.tag may contain only letters, digits, \"_\", \".\" and \"-\", and at most 128 of them; it begins with a letter, a digit or \"_\"" }}
{{- end }}
{{- if and .Values.outboundProxy.cidr (not .Values.outboundProxy.url) }}
{{- fail "outboundProxy.cidr is set and outboundProxy.url isn't, so webhooks and callbacks would not go through the proxy; set outboundProxy.url too" }}
{{- end }}
{{- if (urlParse .Values.backup.endpoint).userinfo }}
{{- fail "backup.endpoint has a login, which no bucket takes; put the access key into the Secret backup" }}
{{- end }}
{{- if (urlParse .Values.outboundProxy.url).userinfo }}
{{- fail "outboundProxy.url has a login, and settings are in a ConfigMap; set it without the login, and put the URL with the login into the Secrets forms-api, webhook-dispatcher and hitl, as SVC_OUTBOUND_PROXY" }}
{{- end }}
{{- end }}

{{/* The resources of a container, without quantities that the values set to null. */}}
{{- define "svcforms.resources" -}}
{{- range $kind, $quantities := . }}
{{ $kind }}:
{{- range $name, $quantity := $quantities }}
{{- if not (kindIs "invalid" $quantity) }}
  {{ $name }}: {{ toJson $quantity }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses a port that the policy allows and the URL doesn't use: dict "url" URL "urlName" NAME "port" PORT "portName" NAME */}}
{{- define "svcforms.checkPort" -}}
{{- $parts := urlParse .url }}
{{- $default := ternary "443" "80" (eq $parts.scheme "https") }}
{{- $used := regexFind ":[0-9]+$" $parts.host | trimPrefix ":" | default $default }}
{{- /* The policy sees the port of the pods behind a Service, which can be another one. */}}
{{- $isService := regexMatch "\\.svc(\\.|$)" $parts.hostname }}
{{- if not (or $isService (eq $used (toString .port))) }}
{{- fail (printf "%s is %v, but %s uses port %s, which the network policy would block; set %s to %s" .portName .port .urlName $used .portName $used) }}
{{- end }}
{{- end }}

{{/* "true" if the host of a URL is a private address or a Service. What other names resolve to isn't known here. */}}
{{- define "svcforms.isPrivateHost" -}}
{{- $host := lower (urlParse .).hostname }}
{{- $isIPv4 := regexMatch "^(10|192\\.168|169\\.254|172\\.(1[6-9]|2[0-9]|3[01])|100\\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7]))(\\.[0-9]+)+$" $host }}
{{- $isIPv6 := regexMatch "^(f[cd]|fe[89ab])[0-9a-f]*:" $host }}
{{- $isService := regexMatch "\\.svc(\\.cluster\\.local)?\\.?$" $host }}
{{- if or $isIPv4 $isIPv6 $isService }}true{{ end }}
{{- end }}

{{/* Public addresses, without private ranges; also those that NAT64 translates (64:ff9b::/96). */}}
{{- define "svcforms.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
- ipBlock:
    cidr: 2000::/3
- ipBlock:
    cidr: 64:ff9b::/96
    except:
      - 64:ff9b::a00:0/104
      - 64:ff9b::6440:0/106
      - 64:ff9b::7f00:0/104
      - 64:ff9b::a9fe:0/112
      - 64:ff9b::ac10:0/108
      - 64:ff9b::c0a8:0/112
{{- end }}
