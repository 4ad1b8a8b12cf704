-- safe because the next statements replace it by a check that every existing row passes
ALTER TABLE "disappearances" DROP CONSTRAINT "disappearances_one_subject";--> statement-breakpoint
ALTER TABLE "disappearances" ADD COLUMN "zone_id" uuid;--> statement-breakpoint
ALTER TABLE "disappearances" ADD COLUMN "confirmations" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "disappearances" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the column is new and empty, and the table has few rows
ALTER TABLE "disappearances" ADD CONSTRAINT "disappearances_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- safe because the column is new and empty, and the table has few rows
ALTER TABLE "disappearances" ADD CONSTRAINT "disappearances_zone_id_unique" UNIQUE("zone_id");--> statement-breakpoint
-- safe because the former version writes rows with one of the other two, and leaves out rows of zones
ALTER TABLE "disappearances" ADD CONSTRAINT "disappearances_one_subject" CHECK (num_nonnulls("disappearances"."account_id", "disappearances"."registrar_id", "disappearances"."zone_id") = 1);