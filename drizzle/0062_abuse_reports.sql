CREATE TYPE "public"."abuse_kind" AS ENUM('phishing', 'threat', 'copyright', 'trademark', 'intimate_images', 'network', 'whois', 'emergency', 'general', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."abuse_state" AS ENUM('open', 'in_work', 'done');--> statement-breakpoint
CREATE TYPE "public"."abuse_status" AS ENUM('accepted', 'in_review', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."report_feed_kind" AS ENUM('abuse_reports', 'notifications');--> statement-breakpoint
CREATE TABLE "abuse_reports" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"report_id" text NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL,
	"domain" text NOT NULL,
	"zone_name" text NOT NULL,
	"kind" "abuse_kind" NOT NULL,
	"status" "abuse_status" NOT NULL,
	"justification" text,
	"original_work" text,
	"submitter" jsonb NOT NULL,
	"urls" jsonb NOT NULL,
	"accepted_urls" integer NOT NULL,
	"active" integer NOT NULL,
	"pending" integer NOT NULL,
	"in_review" integer NOT NULL,
	"host_notified" boolean NOT NULL,
	"mitigations" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"mitigations_read_at" timestamp (3) with time zone,
	"mitigations_due" boolean NOT NULL,
	"state" "abuse_state" DEFAULT 'open' NOT NULL,
	"assignee_id" uuid,
	"due_on" date,
	"note" text,
	CONSTRAINT "abuse_reports_report" UNIQUE("account_id","report_id")
);
--> statement-breakpoint
CREATE TABLE "report_feeds" (
	"account_id" uuid NOT NULL,
	"kind" "report_feed_kind" NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" "change_feed_state" DEFAULT 'waiting' NOT NULL,
	"error_message" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"read_until" timestamp (3) with time zone NOT NULL,
	"swept_at" timestamp (3) with time zone,
	"since" timestamp (3) with time zone,
	"page" integer,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "report_feeds_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "abuse_reports" ADD CONSTRAINT "abuse_reports_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_feeds" ADD CONSTRAINT "report_feeds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "abuse_reports_time" ON "abuse_reports" USING btree ("reported_at","id","state","kind","zone_name");--> statement-breakpoint
CREATE INDEX "abuse_reports_owner" ON "abuse_reports" USING btree ("owner_id","reported_at","id","state","kind","zone_name");--> statement-breakpoint
CREATE INDEX "abuse_reports_account" ON "abuse_reports" USING btree ("account_id","reported_at","id","state","kind","zone_name");--> statement-breakpoint
CREATE INDEX "abuse_reports_zone" ON "abuse_reports" USING btree ("owner_id","zone_name","reported_at","id");--> statement-breakpoint
CREATE INDEX "abuse_reports_open" ON "abuse_reports" USING btree ("account_id","reported_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "abuse_reports_mitigations_due" ON "abuse_reports" USING btree ("account_id","reported_at") WHERE mitigations_due;--> statement-breakpoint
CREATE INDEX "abuse_reports_assignee" ON "abuse_reports" USING btree ("assignee_id");--> statement-breakpoint
CREATE INDEX "report_feeds_due" ON "report_feeds" USING btree ("due_at");