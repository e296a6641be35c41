#!/bin/bash
# Writes Temporal's configuration from the environment, then starts all its services, as in the image `temporalio/server`.
set -eu
if [ "${BIND_ON_IP:-}" = 0.0.0.0 ]; then
  export TEMPORAL_BROADCAST_ADDRESS=${TEMPORAL_BROADCAST_ADDRESS:-$(getent hosts "$(hostname)" | awk '{print $1; exit}')}
fi
dockerize config/config_template.yaml > config/docker.yaml
exec temporal-server --env docker start
