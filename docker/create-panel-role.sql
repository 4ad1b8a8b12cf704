-- Run once, when compose's PostgreSQL makes its files: the panel owns its database and is no superuser, and the superuser has no password,
-- so that it is only there inside the container.
\getenv password POSTGRES_PASSWORD
create role zonedeck login password :'password';
create database zonedeck owner zonedeck;
alter role postgres password null;
