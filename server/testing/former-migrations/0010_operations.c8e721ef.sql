CREATE TYPE "public"."operation_item_state" AS ENUM('pending', 'running', 'waiting', 'done', 'skipped', 'failed', 'cancelled', 'undone');--> statement-breakpoint
CREATE TYPE "public"."operation_state" AS ENUM('draft', 'queued', 'running', 'waiting', 'paused', 'done', 'cancelled');--> statement-breakpoint
ALTER TYPE "public"."activity_entity" ADD VALUE 'profile';--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "operation_items" (
	"operation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"zone_id" uuid,
	"account_id" uuid NOT NULL,
	"account_email" text NOT NULL,
	"lane" text NOT NULL,
	"name" text NOT NULL,
	"state" "operation_item_state" DEFAULT 'pending' NOT NULL,
	"plan" jsonb NOT NULL,
	"result" jsonb,
	"code" text,
	"provider_code" text,
	"message" text,
	"wait_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker" integer,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "operation_items_operation_id_position_pk" PRIMARY KEY("operation_id","position")
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"kind" text NOT NULL,
	"input" jsonb NOT NULL,
	"state" "operation_state" DEFAULT 'draft' NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"canary" integer,
	"total" integer NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"undo_of" uuid,
	"scheduled_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zone_profiles" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"profile_id" uuid NOT NULL,
	"applied_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_items" ADD CONSTRAINT "operation_items_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_profiles" ADD CONSTRAINT "zone_profiles_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_profiles" ADD CONSTRAINT "zone_profiles_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "operation_items_state" ON "operation_items" USING btree ("operation_id","state","position");--> statement-breakpoint
CREATE INDEX "operation_items_lane" ON "operation_items" USING btree ("lane","state","operation_id","position");--> statement-breakpoint
CREATE INDEX "operation_items_zone" ON "operation_items" USING btree ("zone_id");--> statement-breakpoint
CREATE INDEX "operations_owner" ON "operations" USING btree ("owner_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "operations_state" ON "operations" USING btree ("state");--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_name" ON "profiles" USING btree ("owner_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_default" ON "profiles" USING btree ("owner_id") WHERE "profiles"."is_default";--> statement-breakpoint
CREATE INDEX "zone_profiles_profile" ON "zone_profiles" USING btree ("profile_id");