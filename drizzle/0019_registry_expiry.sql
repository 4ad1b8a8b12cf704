CREATE TYPE "public"."registry_state" AS ENUM('found', 'not_found', 'not_offered');--> statement-breakpoint
CREATE TABLE "registry_names" (
	"name" text PRIMARY KEY NOT NULL,
	"tld" text GENERATED ALWAYS AS (substring(name from '[^.]+$')) STORED NOT NULL,
	"state" "registry_state",
	"expires_at" timestamp (3) with time zone,
	"statuses" text[] DEFAULT '{}' NOT NULL,
	"registrar" text,
	"name_servers" text[] DEFAULT '{}' NOT NULL,
	"read_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"fault" text
);
--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "paid_by_registry" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "registry_names_due" ON "registry_names" USING btree ("tld","due_at");--> statement-breakpoint
CREATE INDEX "zones_registry" ON "zones" USING btree ("owner_id","paid_until","name","id") WHERE gone_at is null and (paid_until is null or paid_by_registry);--> statement-breakpoint
-- Until when a zone is paid: what its registrar's list says, or else the registry.
CREATE OR REPLACE FUNCTION zone_at_registrar() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n registrar_names;
BEGIN
  IF NEW.registrar_id IS NOT NULL THEN
    SELECT * INTO n FROM registrar_names WHERE registrar_id = NEW.registrar_id AND name = NEW.name AND gone_at IS NULL;
  END IF;
  NEW.paid_until = n.expires_at;
  NEW.paid_by_registry = false;
  IF NEW.paid_until IS NULL THEN
    SELECT g.expires_at INTO NEW.paid_until FROM registry_names g WHERE g.name = NEW.name;
    NEW.paid_by_registry = NEW.paid_until IS NOT NULL;
  END IF;
  NEW.auto_renew = n.auto_renew;
  NEW.elsewhere = served_elsewhere(n.name_servers, NEW.name_servers);
  RETURN NEW;
END $$;
--> statement-breakpoint
-- A new zone's registry may have been asked for somebody else. Without anything known before, an update brings nothing new; `registry.repo.ts` tells what is.
DROP TRIGGER "zones_at_registrar" ON "zones";--> statement-breakpoint
CREATE TRIGGER zones_at_registrar_first BEFORE INSERT ON zones FOR EACH ROW EXECUTE FUNCTION zone_at_registrar();--> statement-breakpoint
CREATE TRIGGER zones_at_registrar BEFORE UPDATE OF registrar_id, name, name_servers, paid_by_registry ON zones FOR EACH ROW
  WHEN (NEW.registrar_id IS NOT NULL OR NEW.paid_until IS NOT NULL OR NEW.auto_renew IS NOT NULL OR NEW.elsewhere OR NEW.paid_by_registry)
  EXECUTE FUNCTION zone_at_registrar();
