CREATE TYPE "public"."appeal_reason" AS ENUM('removed', 'misclassified');--> statement-breakpoint
CREATE TYPE "public"."appeal_state" AS ENUM('sending', 'sent', 'refused', 'unknown');--> statement-breakpoint
CREATE TABLE "abuse_appeals" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"report_id" uuid NOT NULL,
	"mitigation_ids" jsonb NOT NULL,
	"reason" "appeal_reason" NOT NULL,
	"state" "appeal_state" DEFAULT 'sending' NOT NULL,
	"message" text,
	"sent_by" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "abuse_appeals" ADD CONSTRAINT "abuse_appeals_report_id_abuse_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."abuse_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "abuse_appeals_report" ON "abuse_appeals" USING btree ("report_id","sent_at");