CREATE TABLE "origin_certificates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"zone_id" uuid NOT NULL,
	"serial" text,
	"hostnames" text[] NOT NULL,
	"type" text NOT NULL,
	"validity_days" integer,
	"expires_at" timestamp (3) with time zone,
	"certificate" text,
	"public_key_hash" text,
	"key_sealed" text,
	"gone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "zone_ssl" ADD COLUMN "origin_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "origin_certificates" ADD CONSTRAINT "origin_certificates_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "origin_certificates_serial" ON "origin_certificates" USING btree ("zone_id","serial");--> statement-breakpoint
CREATE INDEX "origin_certificates_expiry" ON "origin_certificates" USING btree ("expires_at","id");