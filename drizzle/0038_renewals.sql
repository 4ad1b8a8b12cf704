ALTER TABLE "purchases" ADD COLUMN "renewed_from" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the table holds a row a purchase, thousands at most
CREATE UNIQUE INDEX "purchases_open_names" ON "purchases" USING btree ("name") WHERE renewed_from is null and state <> 'refused';--> statement-breakpoint
-- safe because the table holds a row a purchase, thousands at most
CREATE UNIQUE INDEX "purchases_open_renewals" ON "purchases" USING btree ("name") WHERE renewed_from is not null and state in ('intended', 'sent');--> statement-breakpoint
-- safe because purchases_open_names says the same of every row that old code writes
DROP INDEX "purchases_open";
