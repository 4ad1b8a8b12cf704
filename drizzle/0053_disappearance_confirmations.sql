ALTER TABLE "disappearances" ADD COLUMN "confirmations" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "disappearances" ADD COLUMN "confirmed_at" timestamp (3) with time zone;