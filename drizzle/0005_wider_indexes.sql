DROP INDEX "zones_group";--> statement-breakpoint
DROP INDEX "zones_owner_name";--> statement-breakpoint
DROP INDEX "zones_owner_status";--> statement-breakpoint
DROP INDEX "zones_owner_ssl";--> statement-breakpoint
DROP INDEX "zones_owner_security";--> statement-breakpoint
DROP INDEX "zones_owner_health";--> statement-breakpoint
DROP INDEX "zones_owner_account";--> statement-breakpoint
DROP INDEX "zones_owner_records";--> statement-breakpoint
DROP INDEX "zones_owner_created";--> statement-breakpoint
DROP INDEX "zones_owner_updated";--> statement-breakpoint
CREATE INDEX "zones_account" ON "zones" USING btree ("account_id","group_id","dims");--> statement-breakpoint
CREATE INDEX "zones_group" ON "zones" USING btree ("group_id","account_id","dims") WHERE group_id is not null;--> statement-breakpoint
CREATE INDEX "zones_owner_name" ON "zones" USING btree ("owner_id","name","id","dims","search");--> statement-breakpoint
CREATE INDEX "zones_owner_status" ON "zones" USING btree ("owner_id",(dims & 3),"name","id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_ssl" ON "zones" USING btree ("owner_id",((dims >> 2) & 7),"name","id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_security" ON "zones" USING btree ("owner_id",((dims >> 7) & 7),"name","id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_health" ON "zones" USING btree ("owner_id",((dims >> 13) & 3),"name","id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_account" ON "zones" USING btree ("owner_id","account_email","name","id","dims");--> statement-breakpoint
CREATE INDEX "zones_owner_records" ON "zones" USING btree ("owner_id",coalesce(records_count, -1),"name","id","dims","records_count");--> statement-breakpoint
CREATE INDEX "zones_owner_created" ON "zones" USING btree ("owner_id",coalesce(provider_created_at, created_at),"name","id","dims","provider_created_at","created_at");--> statement-breakpoint
CREATE INDEX "zones_owner_updated" ON "zones" USING btree ("owner_id",coalesce(provider_modified_at, created_at),"name","id","dims","provider_modified_at","created_at");