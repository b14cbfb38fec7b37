{{- define "lifehook.image" -}}
{{- .Values.image | default (printf "docker.io/lifehook/lifehook:%s" .Chart.AppVersion) -}}
{{- end -}}

{{/* The addresses of allowHookHosts as peers of a NetworkPolicy, which knows no names. */}}
{{- define "lifehook.hookBlocks" -}}
{{- range .Values.allowHookHosts }}
{{- if or (contains ":" .) (regexMatch "^[0-9]+(\\.[0-9]+){3}(/[0-9]+)?$" .) }}
{{- $bits := ternary "128" "32" (contains ":" .) }}
- ipBlock:
    cidr: {{ ternary . (printf "%s/%s" . $bits) (contains "/" .) }}
{{- end }}
{{- end }}
{{- end -}}
