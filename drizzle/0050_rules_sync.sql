ALTER TABLE "accounts" ADD COLUMN "rules_next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "rules_due_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the new column is empty in every row: one scan writes nothing
CREATE INDEX "zones_rules_due" ON "zones" USING btree ("account_id","rules_due_at") WHERE rules_due_at is not null;