CREATE TABLE "zone_count_changes" (
	"owner_id" uuid NOT NULL,
	"kind" smallint NOT NULL,
	"key" uuid NOT NULL,
	"dims" integer NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zone_counts" (
	"owner_id" uuid NOT NULL,
	"kind" smallint NOT NULL,
	"key" uuid NOT NULL,
	"dims" integer NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "account_email" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "addresses" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "dims" integer GENERATED ALWAYS AS ((case status when 'active' then 0 when 'pending' then 1 when 'error' then 2 else 3 end)
        | (case when ssl_mode is null then 0 when ssl_mode = 'off' then 1 when ssl_mode = 'flexible' then 2 when ssl_mode = 'full' then 3 when ssl_mode = 'strict' then 4 when ssl_mode = 'origin_pull' then 5 else 7 end << 2)
        | (case when https is null then 0 when https then 2 else 1 end << 5)
        | (case when security_level is null then 0 when security_level = 'off' then 1 when security_level = 'essentially_off' then 2 when security_level = 'low' then 3 when security_level = 'medium' then 4 when security_level = 'high' then 5 when security_level = 'under_attack' then 6 else 7 end << 7)
        | (case when tls_min is null then 0 when tls_min = '1.0' then 1 when tls_min = '1.1' then 2 when tls_min = '1.2' then 3 when tls_min = '1.3' then 4 else 7 end << 10)
        | (case health when 'ok' then 0 when 'warnings' then 1 when 'critical' then 2 else 3 end << 13)
        | (case when gone_at is null and (records_read_at is null or settings_read_at is null) then 1 else 0 end << 15)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "zone_count_changes_owner" ON "zone_count_changes" USING btree ("owner_id","kind","key");--> statement-breakpoint
CREATE INDEX "zones_group" ON "zones" USING btree ("group_id") WHERE group_id is not null;--> statement-breakpoint
CREATE INDEX "zones_owner_dims" ON "zones" USING btree ("owner_id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_status" ON "zones" USING btree ("owner_id",(dims & 3),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_ssl" ON "zones" USING btree ("owner_id",((dims >> 2) & 7),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_security" ON "zones" USING btree ("owner_id",((dims >> 7) & 7),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_health" ON "zones" USING btree ("owner_id",((dims >> 13) & 3),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_account" ON "zones" USING btree ("owner_id","account_email","name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_records" ON "zones" USING btree ("owner_id",coalesce(records_count, -1),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_created" ON "zones" USING btree ("owner_id",coalesce(provider_created_at, created_at),"name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_updated" ON "zones" USING btree ("owner_id",coalesce(provider_modified_at, created_at),"name","id");