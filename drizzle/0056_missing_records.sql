CREATE TABLE "missing_records" (
	"zone_id" uuid NOT NULL,
	"record_id" text NOT NULL,
	"record" jsonb NOT NULL,
	CONSTRAINT "missing_records_zone_id_record_id_pk" PRIMARY KEY("zone_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "record_disappearances" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"missing" integer NOT NULL,
	"known" integer NOT NULL,
	"confirmations" smallint DEFAULT 0 NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"kept_at" timestamp (3) with time zone,
	"kept_by" text
);
--> statement-breakpoint
ALTER TABLE "dns_records" ADD COLUMN "deletion_sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "missing_records" ADD CONSTRAINT "missing_records_zone_id_record_disappearances_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."record_disappearances"("zone_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_disappearances" ADD CONSTRAINT "record_disappearances_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;