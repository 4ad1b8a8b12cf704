CREATE TYPE "public"."account_health" AS ENUM('working', 'auth_error', 'api_error', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."account_kind" AS ENUM('global_key', 'api_token');--> statement-breakpoint
CREATE TYPE "public"."activity_action" AS ENUM('create', 'update', 'delete', 'sync', 'login', 'logout', 'reveal', 'denied');--> statement-breakpoint
CREATE TYPE "public"."activity_entity" AS ENUM('zone', 'account', 'group', 'registrar', 'user', 'settings');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('admin', 'user');--> statement-breakpoint
CREATE TYPE "public"."health" AS ENUM('ok', 'warnings', 'critical', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."zone_status" AS ENUM('active', 'pending', 'error', 'initializing');--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text,
	"email" text NOT NULL,
	"kind" "account_kind" NOT NULL,
	"api_key_sealed" text NOT NULL,
	"password_sealed" text,
	"credential_hash" text NOT NULL,
	"health" "account_health" DEFAULT 'unknown' NOT NULL,
	"health_code" text,
	"health_message" text,
	"checked_at" timestamp (3) with time zone,
	"check_requested_at" timestamp (3) with time zone,
	"check_run_id" uuid,
	"provider_user_id" text,
	"synced_at" timestamp (3) with time zone,
	"sync_started_at" timestamp (3) with time zone,
	"sync_done" integer DEFAULT 0 NOT NULL,
	"sync_total" integer,
	"sync_error_code" text,
	"sync_error_message" text,
	"next_sync_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sync_failures" integer DEFAULT 0 NOT NULL,
	"syncing" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_credential" UNIQUE("owner_id","credential_hash")
);
--> statement-breakpoint
CREATE TABLE "activity" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"action" "activity_action" NOT NULL,
	"entity_type" "activity_entity" NOT NULL,
	"entity_id" text,
	"entity_name" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"address" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_budgets" (
	"key" text PRIMARY KEY NOT NULL,
	"log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"blocked_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"password_hash" text NOT NULL,
	"role" "role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dns_records" (
	"zone_id" uuid NOT NULL,
	"record_id" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"ttl" integer NOT NULL,
	"proxied" boolean DEFAULT false NOT NULL,
	"proxiable" boolean DEFAULT false NOT NULL,
	"priority" integer,
	"comment" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"data" jsonb,
	"modified_at" timestamp (3) with time zone,
	CONSTRAINT "dns_records_zone_id_record_id_pk" PRIMARY KEY("zone_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"icon" text,
	"color" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zone_settings" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zones" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"group_id" uuid,
	"zone_id" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"status" "zone_status" NOT NULL,
	"provider_status" text NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"type" text DEFAULT 'full' NOT NULL,
	"plan" text,
	"name_servers" text[] DEFAULT '{}' NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"provider_account_id" text,
	"ssl_mode" text,
	"tls_min" text,
	"https" boolean,
	"hsts" boolean,
	"security_level" text,
	"development_mode" integer DEFAULT 0 NOT NULL,
	"records_count" integer,
	"proxied_count" integer DEFAULT 0 NOT NULL,
	"origin_ips" text[] DEFAULT '{}' NOT NULL,
	"health" "health" DEFAULT 'unknown' NOT NULL,
	"tracker_type" text,
	"phishing" boolean DEFAULT false NOT NULL,
	"provider_created_at" timestamp (3) with time zone,
	"provider_modified_at" timestamp (3) with time zone,
	"activated_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"listed_at" timestamp (3) with time zone NOT NULL,
	"records_read_at" timestamp (3) with time zone,
	"settings_read_at" timestamp (3) with time zone,
	"wanted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "zones_owner_zone" UNIQUE("owner_id","zone_id")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dns_records" ADD CONSTRAINT "dns_records_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_settings" ADD CONSTRAINT "zone_settings_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zones" ADD CONSTRAINT "zones_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zones" ADD CONSTRAINT "zones_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zones" ADD CONSTRAINT "zones_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_owner" ON "accounts" USING btree ("owner_id","email");--> statement-breakpoint
CREATE INDEX "accounts_next_sync" ON "accounts" USING btree ("next_sync_at");--> statement-breakpoint
CREATE INDEX "activity_owner_time" ON "activity" USING btree ("owner_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "groups_owner" ON "groups" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "zones_account_name" ON "zones" USING btree ("account_id","name","id");--> statement-breakpoint
CREATE INDEX "zones_owner_name" ON "zones" USING btree ("owner_id","name","id");