-- safe because nothing needs the former index between the two statements, and only writers of items wait while it is built, and then go on
DROP INDEX "operation_items_zone";--> statement-breakpoint
-- safe because only writers of items wait while it is built, and then go on
CREATE INDEX "operation_items_zone" ON "operation_items" USING btree ("zone_id","finished_at");--> statement-breakpoint
-- safe because only writers of incidents wait while it is built, and then go on
CREATE INDEX "incidents_cause" ON "incidents" USING btree ("owner_id","cause","opened_at");
