-- Creates the roles of Atelier's database: one that migrates, and one that may only read and write rows. Run it once in
-- the new database, as its owner with CREATEROLE or as the superuser, with both passwords in the environment:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql -d atelier -f atelier-roles.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

-- Owns the tables. Only the migration uses it (DATABASE_URL of `node scripts/migrate.ts`).
create role atelier_owner login password :'owner_password' nosuperuser nocreatedb nocreaterole;
-- The role of APIs, workers and the operator's command. It cannot change a table's definition.
create role atelier_service login password :'service_password' nosuperuser nocreatedb nocreaterole;

revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to atelier_service, atelier_owner;
revoke all on schema public from public;
grant usage, create on schema public to atelier_owner;
grant usage on schema public to atelier_service;

-- Applies to the tables of all later migrations. Only a member of a role may change its default privileges.
grant atelier_owner to current_user;
alter default privileges for role atelier_owner in schema public
  grant select, insert, update, delete on tables to atelier_service;
alter default privileges for role atelier_owner in schema public
  grant usage, select on sequences to atelier_service;
