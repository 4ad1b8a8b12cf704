ALTER TABLE "zones" ADD COLUMN "protection" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- safe because only writers of zones wait while it is built, and then go on
CREATE INDEX "zones_owner_protection" ON "zones" USING btree ("owner_id","protection","account_id","group_id","dims");