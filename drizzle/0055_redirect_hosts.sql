ALTER TABLE "redirects" ADD COLUMN "source_host" text;--> statement-breakpoint
ALTER TABLE "redirects" ADD COLUMN "target_host" text;--> statement-breakpoint
-- safe because old code writes both columns of no row, and each row is written again when its list is read; hosts in Unicode wait for that
UPDATE "redirects" r SET
  "source_host" = substring(lower(r.source) from '^(?:https?://)?((?:[a-z0-9_-]+\.)+[a-z0-9-]+)\.?(?:/|$)'),
  "target_host" = substring(lower(r.target) from '^https?://((?:[a-z0-9_-]+\.)+[a-z0-9-]+)\.?(?:[/?#:]|$)');--> statement-breakpoint
-- safe because only writers of redirects wait, about a second with a million of them
CREATE INDEX "redirects_source_host" ON "redirects" USING btree ("source_host","account_id");
