-- What earlier forms of 0010 and 0021 lacked; where those were applied in their present form nothing is done.
ALTER TYPE "public"."activity_entity" ADD VALUE IF NOT EXISTS 'profile' BEFORE 'token';--> statement-breakpoint
-- safe because the index is there in every database that 0010 was applied to in its present form
CREATE INDEX IF NOT EXISTS "dns_records_address" ON "dns_records" USING btree ("content","zone_id","proxied","type") WHERE type = 'A' or type = 'AAAA' or (type = 'CNAME' and right(name, length(content) + 1) <> '.' || content);--> statement-breakpoint
-- safe because the index is there in every database that 0021 was applied to in its present form
CREATE INDEX IF NOT EXISTS "zone_views_down" ON "zone_views" USING btree ("zone_id") WHERE state = 'down';
