DROP INDEX "profiles_name";--> statement-breakpoint
DROP INDEX "users_username_key";--> statement-breakpoint
-- Names that differ only in the case of letters that the database's locale did not know: the later ones get an end of their own.
UPDATE "profiles" p SET "name" = left(p."name", 91) || ' ' || right(p."id"::text, 8)
WHERE EXISTS (SELECT FROM "profiles" o WHERE o."owner_id" = p."owner_id" AND o."id" < p."id" AND lower(o."name" COLLATE "und-x-icu") = lower(p."name" COLLATE "und-x-icu"));--> statement-breakpoint
UPDATE "users" p SET "username" = left(p."username", 55) || '-' || right(p."id"::text, 8)
WHERE EXISTS (SELECT FROM "users" o WHERE o."id" < p."id" AND lower(o."username" COLLATE "und-x-icu") = lower(p."username" COLLATE "und-x-icu"));--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_name" ON "profiles" USING btree ("owner_id",lower("name" collate "und-x-icu"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree (lower("username" collate "und-x-icu"));
