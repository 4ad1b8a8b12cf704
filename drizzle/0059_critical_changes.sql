CREATE TYPE "public"."critical_change" AS ENUM('name_servers', 'proxied_off', 'dnssec_off', 'zone_removed', 'mass_deletion', 'token_created');--> statement-breakpoint
-- safe because nobody but its writers waits while it is built, and then they go on
CREATE INDEX "incidents_cause" ON "incidents" USING btree ("owner_id","cause","opened_at");--> statement-breakpoint
-- safe because nobody but its writers waits while it is built, and then they go on
CREATE INDEX "operation_items_zone_finished" ON "operation_items" USING btree ("zone_id","finished_at");--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "deletions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "critical" "critical_change";--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because only the list of changes and the reading of audit logs wait while it is built
CREATE INDEX "provider_changes_unreviewed" ON "provider_changes" USING btree ("owner_id","changed_at","id","account_id") WHERE not is_own and reviewed_at is null;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "provider_changes_critical" ON "provider_changes" USING btree ("account_id","changed_at") WHERE critical is not null and reviewed_at is null;--> statement-breakpoint
-- safe because the new index serves the same queries; it is last, so that readers of items wait only for it
DROP INDEX "operation_items_zone";