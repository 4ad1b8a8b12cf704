CREATE TYPE "public"."change_source" AS ENUM('panel', 'revert', 'outside', 'operation');--> statement-breakpoint
CREATE TYPE "public"."change_subject" AS ENUM('record', 'setting', 'zone');--> statement-breakpoint
CREATE TABLE "zone_changes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"zone_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"source" "change_source" NOT NULL,
	"actor_id" uuid,
	"actor_name" text,
	"subject" "change_subject" NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"batch_id" uuid,
	"reverts_id" uuid
);
--> statement-breakpoint
CREATE TABLE "zone_ssl" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"universal_enabled" boolean,
	"certificates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"verification" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "zone_changes" ADD CONSTRAINT "zone_changes_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_changes" ADD CONSTRAINT "zone_changes_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_ssl" ADD CONSTRAINT "zone_ssl_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "zone_changes_zone" ON "zone_changes" USING btree ("zone_id","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "zone_changes_reverts" ON "zone_changes" USING btree ("reverts_id");