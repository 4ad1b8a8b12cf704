CREATE TYPE "public"."change_feed_state" AS ENUM('waiting', 'working', 'no_permission', 'account_unclear', 'failed');--> statement-breakpoint
CREATE TYPE "public"."provider_change_kind" AS ENUM('records', 'settings', 'rules', 'zone', 'other', 'account');--> statement-breakpoint
CREATE TABLE "change_feeds" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" "change_feed_state" DEFAULT 'waiting' NOT NULL,
	"error_message" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"read_until" timestamp (3) with time zone NOT NULL,
	"since" timestamp (3) with time zone,
	"before" timestamp (3) with time zone,
	"cursor" text,
	"read_at" timestamp (3) with time zone,
	"delay_seconds" integer,
	"longest_delay_seconds" integer
);
--> statement-breakpoint
CREATE TABLE "provider_changes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"change_id" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" "provider_change_kind" NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"token_name" text,
	"via" text,
	"address" text,
	"product" text,
	"subject" text,
	"provider_zone_id" text,
	"zone_name" text,
	"is_own" boolean NOT NULL,
	CONSTRAINT "provider_changes_entry" UNIQUE("account_id","change_id")
);
--> statement-breakpoint
ALTER TABLE "change_feeds" ADD CONSTRAINT "change_feeds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_changes" ADD CONSTRAINT "provider_changes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "change_feeds_due" ON "change_feeds" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "provider_changes_time" ON "provider_changes" USING btree ("changed_at","id","kind","is_own");--> statement-breakpoint
CREATE INDEX "provider_changes_owner" ON "provider_changes" USING btree ("owner_id","changed_at","id","kind","is_own");--> statement-breakpoint
CREATE INDEX "provider_changes_account" ON "provider_changes" USING btree ("account_id","changed_at","id","kind","is_own");--> statement-breakpoint
CREATE INDEX "provider_changes_zone" ON "provider_changes" USING btree ("owner_id","provider_zone_id","changed_at","id");--> statement-breakpoint
CREATE INDEX "provider_changes_actor" ON "provider_changes" USING btree ("owner_id","actor","changed_at","id");