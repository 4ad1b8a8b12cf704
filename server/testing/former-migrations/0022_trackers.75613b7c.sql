CREATE TYPE "public"."tracker_kind" AS ENUM('KEITARO', 'BINOM');--> statement-breakpoint
ALTER TYPE "public"."activity_entity" ADD VALUE 'tracker';--> statement-breakpoint
CREATE TABLE "reserve_domains" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"group_id" uuid,
	"note" text,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_bindings" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"tracker_id" uuid NOT NULL,
	"remote_id" text,
	"bound_by" uuid,
	"bound_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_domains" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"tracker_id" uuid NOT NULL,
	"remote_id" text NOT NULL,
	"name" text NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"status" text,
	"problem" text,
	"solution" text,
	"ssl_status" text,
	"ssl_problem" text,
	"campaign_id" text,
	"campaign_name" text,
	"campaigns_count" integer,
	"group_id" text,
	"group_name" text,
	"ssl_redirect" boolean,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "tracker_domains_remote" UNIQUE("tracker_id","remote_id")
);
--> statement-breakpoint
CREATE TABLE "trackers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" "tracker_kind" NOT NULL,
	"name" text NOT NULL,
	"url" text,
	"api_key_sealed" text,
	"is_default" boolean DEFAULT false NOT NULL,
	"addresses" text[] DEFAULT '{}' NOT NULL,
	"found_addresses" text[] DEFAULT '{}' NOT NULL,
	"domains_count" integer DEFAULT 0 NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"syncing" boolean DEFAULT false NOT NULL,
	"sync_error_code" text,
	"sync_error_message" text,
	"sync_failures" integer DEFAULT 0 NOT NULL,
	"next_sync_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- In place: the indexes on it stay.
ALTER TABLE "zones" ALTER COLUMN "dims" SET EXPRESSION AS ((case status when 'active' then 0 when 'pending' then 1 when 'error' then 2 else 3 end)
        | (case when ssl_mode is null then 0 when ssl_mode = 'off' then 1 when ssl_mode = 'flexible' then 2 when ssl_mode = 'full' then 3 when ssl_mode = 'strict' then 4 when ssl_mode = 'origin_pull' then 5 else 7 end << 2)
        | (case when https is null then 0 when https then 2 else 1 end << 5)
        | (case when security_level is null then 0 when security_level = 'off' then 1 when security_level = 'essentially_off' then 2 when security_level = 'low' then 3 when security_level = 'medium' then 4 when security_level = 'high' then 5 when security_level = 'under_attack' then 6 else 7 end << 7)
        | (case when tls_min is null then 0 when tls_min = '1.0' then 1 when tls_min = '1.1' then 2 when tls_min = '1.2' then 3 when tls_min = '1.3' then 4 else 7 end << 10)
        | (case health when 'ok' then 0 when 'warnings' then 1 when 'critical' then 2 else 3 end << 13)
        | (case when gone_at is null and (records_read_at is null or settings_read_at is null) then 1 else 0 end << 15)
        | (case tracker_type when 'KEITARO' then 1 when 'BINOM' then 2 else 0 end << 16));--> statement-breakpoint
ALTER TABLE "reserve_domains" ADD CONSTRAINT "reserve_domains_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserve_domains" ADD CONSTRAINT "reserve_domains_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserve_domains" ADD CONSTRAINT "reserve_domains_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_bindings" ADD CONSTRAINT "tracker_bindings_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_bindings" ADD CONSTRAINT "tracker_bindings_tracker_id_trackers_id_fk" FOREIGN KEY ("tracker_id") REFERENCES "public"."trackers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_bindings" ADD CONSTRAINT "tracker_bindings_bound_by_users_id_fk" FOREIGN KEY ("bound_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_domains" ADD CONSTRAINT "tracker_domains_tracker_id_trackers_id_fk" FOREIGN KEY ("tracker_id") REFERENCES "public"."trackers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trackers" ADD CONSTRAINT "trackers_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reserve_domains_owner" ON "reserve_domains" USING btree ("owner_id","added_at");--> statement-breakpoint
CREATE INDEX "tracker_bindings_tracker" ON "tracker_bindings" USING btree ("tracker_id","remote_id");--> statement-breakpoint
CREATE INDEX "tracker_domains_name" ON "tracker_domains" USING btree ("name","tracker_id");--> statement-breakpoint
CREATE INDEX "trackers_owner" ON "trackers" USING btree ("owner_id","name");--> statement-breakpoint
CREATE INDEX "trackers_next_sync" ON "trackers" USING btree ("next_sync_at");--> statement-breakpoint
CREATE UNIQUE INDEX "trackers_default" ON "trackers" USING btree ("owner_id","kind") WHERE is_default;--> statement-breakpoint
-- Which kind of tracker a domain is bound in is told in its own row, for lists and counts.
CREATE FUNCTION tracker_binding_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE zones SET tracker_type = t.kind::text FROM added JOIN trackers t ON t.id = added.tracker_id WHERE zones.id = added.zone_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tracker_binding_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE zones SET tracker_type = NULL FROM removed WHERE zones.id = removed.zone_id
    AND NOT EXISTS (SELECT FROM tracker_bindings b WHERE b.zone_id = removed.zone_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tracker_bindings_added AFTER INSERT ON tracker_bindings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tracker_binding_added();
--> statement-breakpoint
CREATE TRIGGER tracker_bindings_removed AFTER DELETE ON tracker_bindings REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tracker_binding_removed();
