#!/bin/sh
# Creates or updates Temporal's tables, with the tools of the image `temporalio/admin-tools`. It may run again at any time.
set -eu
schema=/etc/temporal/schema/postgresql/v12
tool() { temporal-sql-tool --plugin postgres12 --endpoint "$SQL_HOST" --port 5432 "$@"; }
tool --database temporal setup-schema --version 0.0
tool --database temporal update-schema --schema-dir "$schema/temporal/versioned"
tool --database temporal_visibility setup-schema --version 0.0
tool --database temporal_visibility update-schema --schema-dir "$schema/visibility/versioned"
