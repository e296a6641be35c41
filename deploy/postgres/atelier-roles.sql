-- Creates the two roles of Atelier's database: `atelier_owner` migrates; `atelier_service` only reads and writes rows.
-- Run it with psql 15 or later, as the owner of the new database with CREATEROLE or as a superuser:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql -d atelier -f atelier-roles.sql
-- A second run sets both passwords and changes nothing else. Databases of one server share the roles: run it in each.
-- It is one transaction, so that an error changes nothing.
\set ON_ERROR_STOP on
\set owner_password ''
\set service_password ''
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
select '' in (:'owner_password', :'service_password') as lacks_password \gset
\if :lacks_password
do $$ begin raise exception 'OWNER_PASSWORD and SERVICE_PASSWORD must be set in the environment of psql'; end $$;
\endif

begin;

-- Others get only a warning from "grant", and the roles would lack privileges.
do $$ begin
  if not pg_has_role((select datdba from pg_database where datname = current_database()), 'usage')
    or not pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage')
  then
    raise exception 'only the owner of the database and of its schema "public" or a superuser can run this file';
  end if;
end $$;

select format('create role %I login nosuperuser nocreatedb nocreaterole', name)
from unnest(array['atelier_owner', 'atelier_service']) as name
where not exists (select from pg_roles where rolname = name) \gexec

-- Owns the tables. Only the migration uses it (DATABASE_URL of `node scripts/migrate.ts`).
alter role atelier_owner password :'owner_password';
-- The role of APIs, workers and the operator's command. It cannot change a table's definition.
alter role atelier_service password :'service_password';
-- Behind a pooler, the service cannot set timeouts itself. It waits for at most five seconds.
alter role atelier_service set statement_timeout = '10s';
alter role atelier_service set idle_in_transaction_session_timeout = '10s';

revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to atelier_service, atelier_owner;
revoke all on schema public from public;
grant usage, create on schema public to atelier_owner;
grant usage on schema public to atelier_service;

-- Only a member of a role may change its default privileges, back up its tables and end its sessions.
grant atelier_owner, atelier_service to current_user;
-- Applies to the tables of all later migrations.
alter default privileges for role atelier_owner in schema public
  grant select, insert, update, delete on tables to atelier_service;
alter default privileges for role atelier_owner in schema public
  grant usage, select on sequences to atelier_service;

commit;
