#!/bin/sh
# Creates the namespace of Atelier, unless it exists, with the `temporal` command of the image `temporalio/admin-tools`.
set -eu
attempt=1
until temporal operator cluster health > /dev/null; do
  if [ "$attempt" -ge 60 ]; then
    echo "Temporal at $TEMPORAL_ADDRESS did not become healthy. Read the log of the server." >&2
    exit 1
  fi
  attempt=$((attempt + 1))
  sleep 2
done
if ! temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1; then
  # Closed workflows can be read for three days.
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 72h
fi
