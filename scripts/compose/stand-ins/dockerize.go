// Writes a template to standard output, with the functions of https://github.com/jwilder/dockerize that Temporal uses.
package main

import (
	"os"
	"strings"
	"text/template"
)

func main() {
	env := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	functions := template.FuncMap{
		"default": func(value any, fallback string) string {
			if text, ok := value.(string); ok && text != "" {
				return text
			}
			return fallback
		},
		"lower": strings.ToLower,
		"split": strings.Split,
		"trim":  strings.TrimSpace,
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed := template.Must(template.New("").Funcs(functions).Parse(string(text)))
	if err := parsed.Execute(os.Stdout, map[string]any{"Env": env}); err != nil {
		panic(err)
	}
}
