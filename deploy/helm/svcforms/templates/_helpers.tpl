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

{{/* Public addresses, without private ranges. */}}
{{- define "svcforms.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
- ipBlock:
    cidr: 2000::/3
{{- end }}
