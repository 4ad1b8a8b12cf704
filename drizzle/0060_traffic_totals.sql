CREATE TABLE "traffic_totals" (
	"account_id" uuid NOT NULL,
	"group_id" uuid,
	"zones" integer NOT NULL,
	"requests" double precision NOT NULL,
	"day" double precision[] NOT NULL,
	"week" double precision[] NOT NULL,
	"month" double precision[] NOT NULL,
	"days" double precision[] NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "traffic_totals_account_group" UNIQUE NULLS NOT DISTINCT("account_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD COLUMN "byte_days" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD COLUMN "threat_days" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD COLUMN "client_error_days" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD COLUMN "server_error_days" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "zone_traffic" ADD COLUMN "problems" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "traffic_problems" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "traffic_totals" ADD CONSTRAINT "traffic_totals_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_totals_group" ON "traffic_totals" USING btree ("group_id");