#!/bin/bash
# Prepares the data folder like the entry point of the image `postgres`: superuser, database, and the scripts of
# /docker-entrypoint-initdb.d, while the server listens on no TCP port.
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql
  chmod 700 "$PGDATA"
  exec gosu postgres "$0" "$@"
fi
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb --username=postgres --auth-local=trust --auth-host=scram-sha-256 --pwfile=<(echo "$POSTGRES_PASSWORD") > /dev/null
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -w start -o "-c listen_addresses=''" > /dev/null
  database=${POSTGRES_DB:-postgres}
  [ "$database" = postgres ] || createdb --username=postgres "$database"
  for file in /docker-entrypoint-initdb.d/*.sql; do
    [ ! -e "$file" ] || psql -v ON_ERROR_STOP=1 --no-password --no-psqlrc --username=postgres --dbname="$database" -f "$file"
  done
  pg_ctl -w stop -m fast > /dev/null
fi
exec "$@" -c listen_addresses='*'
