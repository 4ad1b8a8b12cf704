CREATE TYPE "public"."critical_change" AS ENUM('name_servers', 'proxied_off', 'dnssec_off', 'zone_removed', 'mass_deletion', 'token_created');--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "critical" "critical_change";--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because only the readers and the writer of this list wait: it has no other users
CREATE INDEX "provider_changes_unreviewed" ON "provider_changes" USING btree ("owner_id","changed_at","id","account_id") WHERE not is_own and reviewed_at is null;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "provider_changes_critical" ON "provider_changes" USING btree ("account_id","changed_at") WHERE critical is not null and reviewed_at is null;