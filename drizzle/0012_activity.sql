-- The time that a UUID of version 7 was made at, and the first that a time could make: entries are in the order of their ids.
CREATE FUNCTION id_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
$$ SELECT to_timestamp(('x0000' || left(replace($1::text, '-', ''), 12))::bit(64)::bigint / 1000.0) $$;
--> statement-breakpoint
CREATE FUNCTION id_floor(timestamptz) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE STRICT AS
$$ SELECT (lpad(to_hex((extract(epoch FROM $1) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;
--> statement-breakpoint
ALTER TYPE "public"."activity_entity" ADD VALUE 'operation';--> statement-breakpoint
CREATE TABLE "activity_count_changes" (
	"owner_id" uuid,
	"actor_id" uuid,
	"hour" timestamp (3) with time zone NOT NULL,
	"code" smallint NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_counts" (
	"scope" smallint NOT NULL,
	"key" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"code" smallint NOT NULL,
	"n" bigint NOT NULL,
	CONSTRAINT "activity_counts_scope_key_hour_code_pk" PRIMARY KEY("scope","key","hour","code")
);
--> statement-breakpoint
ALTER TABLE "activity" DROP CONSTRAINT "activity_owner_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "activity" DROP CONSTRAINT "activity_actor_id_users_id_fk";
--> statement-breakpoint
DROP INDEX "activity_owner_time";--> statement-breakpoint
ALTER TABLE "activity" ALTER COLUMN "created_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "activity" drop column "created_at";--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "created_at" timestamp (3) with time zone GENERATED ALWAYS AS (id_time(id)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "code" smallint;--> statement-breakpoint
-- As `activityCode` packs it.
UPDATE "activity" SET "code" =
  (array_position(array['create', 'update', 'delete', 'sync', 'login', 'logout', 'reveal', 'denied'], action::text) - 1) * 512
  + (array_position(array['zone', 'account', 'group', 'registrar', 'user', 'settings', 'profile', 'token'], entity_type::text) - 1) * 16
  + (array_position(array['user', 'token', 'operation', 'system', 'anonymous'], actor_kind::text) - 1) * 2
  + coalesce(owner_id = actor_id, false)::int;--> statement-breakpoint
ALTER TABLE "activity" ALTER COLUMN "code" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "activity_code" ON "activity" USING btree ("code","id");--> statement-breakpoint
CREATE INDEX "activity_owner" ON "activity" USING btree ("owner_id","code","id");--> statement-breakpoint
CREATE INDEX "activity_actor" ON "activity" USING btree ("actor_id","code","id") WHERE "activity"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "activity_owner_actor" ON "activity" USING btree ("owner_id","actor_id","code","id") WHERE "activity"."owner_id" <> "activity"."actor_id";--> statement-breakpoint
CREATE INDEX "activity_counts_none" ON "activity_counts" ("scope") WHERE "n" = 0;
--> statement-breakpoint
CREATE FUNCTION activity_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity_count_changes (owner_id, actor_id, hour, code, n)
  SELECT owner_id, actor_id, date_trunc('hour', created_at, 'UTC'), code, count(*) FROM added GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION activity_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity_count_changes (owner_id, actor_id, hour, code, n)
  SELECT owner_id, actor_id, date_trunc('hour', created_at, 'UTC'), code, -count(*) FROM removed GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER activity_inserted AFTER INSERT ON activity REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION activity_inserted();
--> statement-breakpoint
CREATE TRIGGER activity_deleted AFTER DELETE ON activity REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION activity_deleted();
--> statement-breakpoint
INSERT INTO activity_count_changes (owner_id, actor_id, hour, code, n)
SELECT owner_id, actor_id, date_trunc('hour', created_at, 'UTC'), code, count(*) FROM activity GROUP BY 1, 2, 3, 4;
