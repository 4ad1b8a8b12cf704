CREATE TABLE "zone_traffic" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"bytes" double precision NOT NULL,
	"threats" double precision NOT NULL,
	"client_errors" double precision NOT NULL,
	"server_errors" double precision NOT NULL,
	"days" double precision[] NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "traffic_due_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "requests" double precision;--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD CONSTRAINT "zone_traffic_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "zones_owner_traffic" ON "zones" USING btree ("owner_id","requests","account_id","group_id","dims") WHERE requests is not null;--> statement-breakpoint
-- safe because only writers of zones wait while it is built, and then go on
CREATE INDEX "zones_owner_requests" ON "zones" USING btree ("owner_id",coalesce(requests, -1),"name","id","dims","requests");