ALTER TABLE "accounts" ADD COLUMN "sync_asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "details_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "records_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "settings_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "detail_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "zones_records_due" ON "zones" USING btree ("account_id","records_due_at") WHERE records_due_at is not null;--> statement-breakpoint
CREATE INDEX "zones_settings_due" ON "zones" USING btree ("account_id","settings_due_at") WHERE settings_due_at is not null;