CREATE TABLE "zone_rulesets" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"rulesets" jsonb NOT NULL,
	"page_rules" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "zone_rulesets" ADD CONSTRAINT "zone_rulesets_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;