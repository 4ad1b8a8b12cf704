CREATE TYPE "public"."purchase_state" AS ENUM('intended', 'sent', 'bought', 'refused');--> statement-breakpoint
CREATE TYPE "public"."registrar_health" AS ENUM('working', 'auth_error', 'api_error', 'unknown');--> statement-breakpoint
CREATE TYPE "public"."registrar_provider" AS ENUM('NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU');--> statement-breakpoint
CREATE TYPE "public"."registrar_type" AS ENUM('MANUAL', 'API_ENABLED');--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feeds_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"details_sealed" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_name" UNIQUE("owner_id","name")
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"registrar_id" uuid,
	"operation_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" "purchase_state" DEFAULT 'intended' NOT NULL,
	"years" integer NOT NULL,
	"price_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"order_id" text,
	"charged_minor" bigint,
	"answer" jsonb,
	"sent_at" timestamp (3) with time zone,
	"bought_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrar_names" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"registrar_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text,
	"registered_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"auto_renew" boolean,
	"locked" boolean,
	"name_servers" text[],
	"name_servers_at" timestamp (3) with time zone,
	"renewal_minor" bigint,
	"renewal_currency" text,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "registrar_names_name" UNIQUE("registrar_id","name")
);
--> statement-breakpoint
CREATE TABLE "registrars" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" "registrar_type" DEFAULT 'MANUAL' NOT NULL,
	"provider" "registrar_provider" DEFAULT 'NAMECHEAP' NOT NULL,
	"sandbox" boolean DEFAULT false NOT NULL,
	"api_url" text,
	"account_email" text,
	"account_password_sealed" text,
	"credential_sealed" text NOT NULL,
	"credential_fields" text[] NOT NULL,
	"credential_hash" text NOT NULL,
	"health" "registrar_health" DEFAULT 'unknown' NOT NULL,
	"health_code" text,
	"health_message" text,
	"checked_at" timestamp (3) with time zone,
	"balance_minor" bigint,
	"balance_currency" text,
	"balance_at" timestamp (3) with time zone,
	"synced_at" timestamp (3) with time zone,
	"syncing" boolean DEFAULT false NOT NULL,
	"sync_error_code" text,
	"sync_error_message" text,
	"sync_failures" integer DEFAULT 0 NOT NULL,
	"next_sync_at" timestamp (3) with time zone,
	"names_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "registrar_id" uuid;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_registrar_id_registrars_id_fk" FOREIGN KEY ("registrar_id") REFERENCES "public"."registrars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrar_names" ADD CONSTRAINT "registrar_names_registrar_id_registrars_id_fk" FOREIGN KEY ("registrar_id") REFERENCES "public"."registrars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrars" ADD CONSTRAINT "registrars_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_default" ON "contacts" USING btree ("owner_id") WHERE is_default;--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_open" ON "purchases" USING btree ("name") WHERE state <> 'refused';--> statement-breakpoint
CREATE INDEX "purchases_operation" ON "purchases" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "purchases_owner" ON "purchases" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "registrar_names_by_name" ON "registrar_names" USING btree ("name");--> statement-breakpoint
CREATE INDEX "registrar_names_expiry" ON "registrar_names" USING btree ("expires_at") WHERE gone_at is null;--> statement-breakpoint
CREATE INDEX "registrars_owner" ON "registrars" USING btree ("owner_id","name");--> statement-breakpoint
CREATE INDEX "registrars_next_sync" ON "registrars" USING btree ("next_sync_at");--> statement-breakpoint
ALTER TABLE "zones" ADD CONSTRAINT "zones_registrar_id_registrars_id_fk" FOREIGN KEY ("registrar_id") REFERENCES "public"."registrars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "zones_registrar" ON "zones" USING btree ("registrar_id") WHERE registrar_id is not null;