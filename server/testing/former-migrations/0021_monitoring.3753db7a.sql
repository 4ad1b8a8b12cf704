CREATE TYPE "public"."channel_kind" AS ENUM('telegram', 'webhook');--> statement-breakpoint
CREATE TYPE "public"."message_state" AS ENUM('pending', 'sending', 'sent', 'failed', 'dropped');--> statement-breakpoint
CREATE TYPE "public"."region" AS ENUM('EUROPE', 'NORTH_AMERICA', 'ASIA', 'SOUTH_AMERICA', 'AFRICA', 'OCEANIA');--> statement-breakpoint
CREATE TYPE "public"."view_state" AS ENUM('up', 'down', 'unknown');--> statement-breakpoint
CREATE TABLE "alert_channels" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" "channel_kind" NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"main" boolean DEFAULT false NOT NULL,
	"chat_id" text,
	"topic_id" integer,
	"url" text,
	"secret_sealed" text,
	"group_ids" uuid[],
	"critical_only" boolean DEFAULT false NOT NULL,
	"failure" jsonb,
	"paused_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_paces" (
	"key" text PRIMARY KEY NOT NULL,
	"sent_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"blocked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "check_days" (
	"zone_id" uuid NOT NULL,
	"region" "region" NOT NULL,
	"checks" smallint NOT NULL,
	"failed" smallint NOT NULL,
	"dns_ms" smallint,
	"connect_ms" smallint,
	"tls_ms" smallint,
	"first_byte_ms" smallint,
	"total_ms" smallint,
	"max_total_ms" smallint,
	"day" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "check_days_zone_id_day_region_pk" PRIMARY KEY("zone_id","day","region")
);
--> statement-breakpoint
CREATE TABLE "check_hours" (
	"zone_id" uuid NOT NULL,
	"region" "region" NOT NULL,
	"checks" smallint NOT NULL,
	"failed" smallint NOT NULL,
	"dns_ms" smallint,
	"connect_ms" smallint,
	"tls_ms" smallint,
	"first_byte_ms" smallint,
	"total_ms" smallint,
	"max_total_ms" smallint,
	"hour" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "check_hours_zone_id_hour_region_pk" PRIMARY KEY("zone_id","hour","region")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"zone_id" uuid,
	"account_id" uuid,
	"group_id" uuid,
	"name" text NOT NULL,
	"health" "health" NOT NULL,
	"reasons" jsonb NOT NULL,
	"cause" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" text,
	"timeline" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"open_taken_at" timestamp (3) with time zone,
	"close_taken_at" timestamp (3) with time zone,
	"held_until" timestamp (3) with time zone,
	"told" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_windows" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"group_id" uuid,
	"zone_ids" uuid[],
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "monitor_chores" (
	"name" text PRIMARY KEY NOT NULL,
	"done_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "monitor_overrides" (
	"group_id" uuid PRIMARY KEY NOT NULL,
	"override" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "monitor_settings" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"regions" "region"[] DEFAULT '{EUROPE,NORTH_AMERICA,ASIA}' NOT NULL,
	"interval_minutes" integer DEFAULT 5 NOT NULL,
	"options" jsonb NOT NULL,
	"notices" jsonb NOT NULL,
	"quiet_hours" jsonb,
	"second_opinion" boolean DEFAULT false NOT NULL,
	"language" text DEFAULT 'ru' NOT NULL,
	"bot_token_sealed" text,
	"bot_name" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"state" "message_state" DEFAULT 'pending' NOT NULL,
	"body" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"worker" integer,
	"repeated" boolean DEFAULT false NOT NULL,
	"external_id" text,
	"failure_code" text,
	"failure_message" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "probe_claims" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"region" "region" NOT NULL,
	"probe_id" uuid NOT NULL,
	"zone_ids" uuid[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"attempts" smallint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "probe_cursors" (
	"region" "region" NOT NULL,
	"interval_seconds" integer NOT NULL,
	"position" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"pace" real DEFAULT 1 NOT NULL,
	CONSTRAINT "probe_cursors_region_interval_seconds_pk" PRIMARY KEY("region","interval_seconds")
);
--> statement-breakpoint
CREATE TABLE "probes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"region" "region" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"online" boolean NOT NULL,
	"checks_per_second" integer DEFAULT 0 NOT NULL,
	"lag_ms" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_pages" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_pages_slug" UNIQUE("slug"),
	CONSTRAINT "status_pages_group" UNIQUE("group_id")
);
--> statement-breakpoint
CREATE TABLE "zone_monitors" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"group_id" uuid,
	"interval_seconds" integer NOT NULL,
	"slot" integer NOT NULL,
	"regions" "region"[] NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"muted_until" timestamp (3) with time zone,
	"health" "health" DEFAULT 'unknown' NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"since" timestamp (3) with time zone,
	"signals" integer DEFAULT 0 NOT NULL,
	"changes" bigint[] DEFAULT '{}' NOT NULL,
	"certificate" jsonb,
	"cert_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zone_views" (
	"zone_id" uuid NOT NULL,
	"region" "region" NOT NULL,
	"state" "view_state" DEFAULT 'unknown' NOT NULL,
	"since" timestamp (3) with time zone,
	"failures" smallint DEFAULT 0 NOT NULL,
	"successes" smallint DEFAULT 0 NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	"wanted_at" timestamp (3) with time zone,
	"pending" text[] DEFAULT '{}' NOT NULL,
	"beats" "bytea" DEFAULT '\x' NOT NULL,
	"status" smallint,
	"dns_ms" integer,
	"connect_ms" integer,
	"tls_ms" integer,
	"first_byte_ms" integer,
	"total_ms" integer,
	"hour" timestamp (3) with time zone,
	"checks" smallint DEFAULT 0 NOT NULL,
	"failed" smallint DEFAULT 0 NOT NULL,
	"sum_dns_ms" integer DEFAULT 0 NOT NULL,
	"sum_connect_ms" integer DEFAULT 0 NOT NULL,
	"sum_tls_ms" integer DEFAULT 0 NOT NULL,
	"sum_first_byte_ms" integer DEFAULT 0 NOT NULL,
	"sum_total_ms" integer DEFAULT 0 NOT NULL,
	"max_total_ms" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "zone_views_zone_id_region_pk" PRIMARY KEY("zone_id","region")
);
--> statement-breakpoint
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitor_overrides" ADD CONSTRAINT "monitor_overrides_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitor_settings" ADD CONSTRAINT "monitor_settings_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_pages" ADD CONSTRAINT "status_pages_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_pages" ADD CONSTRAINT "status_pages_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_monitors" ADD CONSTRAINT "zone_monitors_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_monitors" ADD CONSTRAINT "zone_monitors_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_views" ADD CONSTRAINT "zone_views_zone_id_zone_monitors_zone_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zone_monitors"("zone_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_channels_owner" ON "alert_channels" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "incidents_owner" ON "incidents" USING btree ("owner_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "incidents_zone" ON "incidents" USING btree ("zone_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "incidents_open" ON "incidents" USING btree ("owner_id","cause","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "incidents_open_due" ON "incidents" USING btree (coalesce("held_until", "opened_at")) WHERE open_taken_at is null;--> statement-breakpoint
CREATE INDEX "incidents_close_due" ON "incidents" USING btree ("closed_at") WHERE closed_at is not null and close_taken_at is null;--> statement-breakpoint
CREATE INDEX "maintenance_windows_owner" ON "maintenance_windows" USING btree ("owner_id","ends_at");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("channel_id","id") WHERE state in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "outbox_owner" ON "outbox" USING btree ("owner_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "probe_claims_region" ON "probe_claims" USING btree ("region","expires_at");--> statement-breakpoint
CREATE INDEX "zone_monitors_slot" ON "zone_monitors" USING btree ("interval_seconds","slot","zone_id");--> statement-breakpoint
CREATE INDEX "zone_monitors_owner" ON "zone_monitors" USING btree ("owner_id","health","zone_id");--> statement-breakpoint
CREATE INDEX "zone_monitors_certificate" ON "zone_monitors" USING btree ("owner_id","cert_expires_at");--> statement-breakpoint
CREATE INDEX "zone_monitors_held" ON "zone_monitors" USING btree ("owner_id","paused_until","muted_until") WHERE paused_until is not null or muted_until is not null;--> statement-breakpoint
CREATE INDEX "zone_views_retry" ON "zone_views" USING btree ("region","retry_at") WHERE retry_at is not null;--> statement-breakpoint
CREATE INDEX "zone_views_wanted" ON "zone_views" USING btree ("region","wanted_at") WHERE wanted_at is not null;--> statement-breakpoint
-- BY HAND from here to the end (`drizzle-kit generate` knows no partitions): after generating anew, append it again.
-- Hours are partitioned by day and days by month (UTC), so that old ones are dropped as files. `ensurePartitions` makes them ahead.
ALTER TABLE check_hours RENAME TO check_hours_plain;--> statement-breakpoint
CREATE TABLE check_hours (LIKE check_hours_plain INCLUDING DEFAULTS, PRIMARY KEY (zone_id, hour, region)) PARTITION BY RANGE (hour);--> statement-breakpoint
DROP TABLE check_hours_plain;--> statement-breakpoint
ALTER TABLE check_days RENAME TO check_days_plain;--> statement-breakpoint
CREATE TABLE check_days (LIKE check_days_plain INCLUDING DEFAULTS, PRIMARY KEY (zone_id, day, region)) PARTITION BY RANGE (day);--> statement-breakpoint
DROP TABLE check_days_plain;--> statement-breakpoint
-- The partition of a table (`check_hours` by day, `check_days` by month) that an instant falls into; processes that come together take turns.
CREATE FUNCTION ensure_partition(parent text, unit text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamp := date_trunc(unit, at AT TIME ZONE 'UTC');
  part text := parent || to_char(first, CASE unit WHEN 'day' THEN '_YYYYMMDD' ELSE '_YYYYMM' END);
BEGIN
  IF to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('partition of ' || parent, 0));
  IF to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', part, parent, first AT TIME ZONE 'UTC',
    (first + ('1 ' || unit)::interval) AT TIME ZONE 'UTC');
END $$;
--> statement-breakpoint
-- Each check rewrites its row: room on the page lets it stay there, with no index touched.
ALTER TABLE zone_views SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE zone_monitors SET (fillfactor = 80);
