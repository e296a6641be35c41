-- Creates Temporal's role and its two databases.
-- Run it once, as the superuser of PostgreSQL: TEMPORAL_PASSWORD=… psql -f temporal-role.sql
\set ON_ERROR_STOP on
\getenv temporal_password TEMPORAL_PASSWORD

-- Owns both databases, because Temporal's own tool creates and updates its tables.
create role temporal login password :'temporal_password' nosuperuser nocreatedb nocreaterole;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database temporal, temporal_visibility from public;
