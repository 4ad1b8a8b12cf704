-- safe because a wider one takes its place below: old code writes rows that both allow, and grants nothing by others
ALTER TABLE "shares" DROP CONSTRAINT "shares_one_thing";--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "tracker_id" uuid;--> statement-breakpoint
-- safe because the column is new and empty, and the table holds no more than 5,000 rows a person
ALTER TABLE "shares" ADD CONSTRAINT "shares_tracker_id_trackers_id_fk" FOREIGN KEY ("tracker_id") REFERENCES "public"."trackers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- safe because the column is new and empty, and the table is small
CREATE UNIQUE INDEX "shares_tracker" ON "shares" USING btree ("grantee_id","tracker_id");--> statement-breakpoint
-- safe because the table is small: its index is made in a moment
CREATE INDEX "shares_of_tracker" ON "shares" USING btree ("tracker_id");--> statement-breakpoint
-- safe because every row that the former constraint allowed is allowed by this one
ALTER TABLE "shares" ADD CONSTRAINT "shares_one_thing" CHECK (num_nonnulls("shares"."group_id", "shares"."account_id", "shares"."registrar_id", "shares"."tracker_id") = 1);