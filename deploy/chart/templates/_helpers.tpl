{{/* Names and labels. */}}
{{- define "atelier.name" -}}
{{- if contains "atelier" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-atelier" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "atelier.selector" -}}
app.kubernetes.io/name: atelier
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "atelier.labels" -}}
{{ include "atelier.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The same of one part, such as `api`. Arguments: a list of root and part. */}}
{{- define "atelier.partSelector" -}}
{{ include "atelier.selector" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "atelier.partLabels" -}}
{{ include "atelier.labels" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "atelier.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "atelier.name" .) }}
{{- end }}

{{/* The image of a container. Arguments: root, and `values` of the part, whose tag overrides the digest of all. */}}
{{- define "atelier.image" -}}
{{- $own := .values.image | default dict -}}
{{- $image := mergeOverwrite (deepCopy .root.Values.image) $own -}}
{{- if and $image.digest (or $own.digest (not $own.tag)) -}}
image: {{ $image.repository }}@{{ $image.digest }}
{{- else -}}
image: {{ $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}
imagePullPolicy: {{ $image.pullPolicy }}
{{- end }}

{{/*
Variables of all pods: the settings that have a value, then `env`. They are no ConfigMap, because the migration runs before
Helm creates one, and because pods restart when their own specification changes.
*/}}
{{- define "atelier.env" -}}
{{- range $variables := list .Values.settings .Values.env }}
{{- range $name, $value := $variables }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  {{- /* Helm reads integers as floating-point numbers, and would write large ones with an exponent. */}}
  value: {{ kindIs "float64" $value | ternary (toString (int64 $value)) (toString $value) | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings of every pod. The service needs neither a token of the cluster nor variables about its services. */}}
{{- define "atelier.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "atelier.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/*
Probes of a process, with the port and the path of its startup probe. The API serves its health on its own port, too. A
pod counts as started when PostgreSQL and Temporal have responded, so a wrong setting stops a rollout. Later, an outage of
either restarts no pod and takes none out of service: the API then still reads, and explains its 503.
*/}}
{{- define "atelier.probes" -}}
startupProbe:
  httpGet: { path: {{ .started }}, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}

{{- define "atelier.mounts" -}}
volumeMounts:
  - { name: temporary, mountPath: /tmp }
  {{- if .Values.data.existingClaim }}
  - { name: data, mountPath: /data }
  {{- end }}
  {{- if .Values.files }}
  - { name: settings, mountPath: /settings, readOnly: true }
  {{- end }}
  {{- if .Values.secrets.certificates }}
  - { name: certificates, mountPath: /certificates, readOnly: true }
  {{- end }}
{{- end }}

{{- define "atelier.volumes" -}}
volumes:
  # On the disk of the node: an API receives uploads here, up to 20 MB each.
  - name: temporary
    emptyDir: { sizeLimit: 5Gi }
  {{- with .Values.data.existingClaim }}
  - name: data
    persistentVolumeClaim: { claimName: {{ . }} }
  {{- end }}
  {{- if .Values.files }}
  - name: settings
    configMap: { name: {{ include "atelier.name" . }}-files }
  {{- end }}
  {{- with .Values.secrets.certificates }}
  - name: certificates
    secret: { secretName: {{ . }}, defaultMode: 0440 }
  {{- end }}
{{- end }}

{{/* On which nodes pods run: on different ones, if possible. Arguments: root, part, and `values` of the part. */}}
{{- define "atelier.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "atelier.partSelector" (list .root .part) | nindent 8 }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.values $field }}
{{ $field }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Annotations of pods. The checksum restarts them when `files` change. Arguments: root, and `values` of the part. */}}
{{- define "atelier.annotations" -}}
{{- $annotations := deepCopy (.values.podAnnotations | default dict) -}}
{{- with .root.Values.files }}{{ $_ := set $annotations "checksum/files" (toJson . | sha256sum) }}{{ end -}}
{{- with $annotations }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
The addresses that workers may fetch from: all public ones. The service itself also refuses private addresses
(docs/decisions/0017-hostile-input.md). 2002::/16 contains IPv4 addresses, private ones among them.
*/}}
{{- define "atelier.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      - 0.0.0.0/8
      - 10.0.0.0/8
      - 100.64.0.0/10
      - 127.0.0.0/8
      - 169.254.0.0/16
      - 172.16.0.0/12
      - 192.0.0.0/24
      - 192.168.0.0/16
      - 198.18.0.0/15
      - 224.0.0.0/3
- ipBlock: { cidr: '2000::/3', except: ['2002::/16'] }
{{- end }}

{{/* The task queues of a worker with these roles, as a list of names and types. Arguments: root, roles. */}}
{{- define "atelier.queues" -}}
{{- $main := .root.Values.settings.ATELIER_TASK_QUEUE -}}
{{- $engines := list -}}
{{- if has "workflows" .roles }}
- { name: {{ $main }}, type: workflow }
{{- end }}
{{- if has "deliveries" .roles }}
- { name: {{ $main }}, type: activity }
{{- end }}
{{- if has "providers" .roles }}
  {{- $engines = concat $engines (list "inputs") }}
  {{- with .root.Values.settings.ATELIER_LANGUAGE_URL }}{{ $engines = append $engines "language" }}{{ end }}
  {{- $file := get .root.Values.files (trimPrefix "/settings/" .root.Values.settings.ATELIER_ENGINES) | default "{}" }}
  {{- $engines = concat $engines (keys ((fromJson $file).engines | default dict) | sortAlpha) }}
{{- end }}
{{- if has "embedded" .roles }}
  {{- $engines = concat $engines (list "local" "local-large" "rules") }}
  {{- with .root.Values.settings.ATELIER_LANGUAGE_URL }}{{ $engines = append $engines "local-edit" }}{{ end }}
{{- end }}
{{- range $engines }}
- { name: {{ $main }}-{{ . }}, type: activity }
{{- end }}
{{- end }}
