DROP INDEX "zones_registrar";--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "paid_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "auto_renew" boolean;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "elsewhere" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Whether the registrar is known to have other name servers than Cloudflare gave.
CREATE FUNCTION served_elsewhere(known text[], wanted text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT coalesce(NOT (known @> wanted AND known <@ wanted), false) $$;
--> statement-breakpoint
-- Lists filter and sort by these without a join. What the registrar tells later is written by `updateZonesOf`.
CREATE FUNCTION zone_at_registrar() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n registrar_names;
BEGIN
  IF NEW.registrar_id IS NOT NULL THEN
    SELECT * INTO n FROM registrar_names WHERE registrar_id = NEW.registrar_id AND name = NEW.name AND gone_at IS NULL;
  END IF;
  NEW.paid_until = n.expires_at;
  NEW.auto_renew = n.auto_renew;
  NEW.elsewhere = served_elsewhere(n.name_servers, NEW.name_servers);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER zones_at_registrar BEFORE INSERT OR UPDATE OF registrar_id, name, name_servers ON zones FOR EACH ROW
  WHEN (NEW.registrar_id IS NOT NULL OR NEW.paid_until IS NOT NULL OR NEW.auto_renew IS NOT NULL OR NEW.elsewhere)
  EXECUTE FUNCTION zone_at_registrar();
--> statement-breakpoint
UPDATE zones SET registrar_id = registrar_id WHERE registrar_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "zones_delegation" ON "zones" USING btree ("owner_id","name_servers","name","id","status","registrar_id") WHERE gone_at is null and type <> 'partial' and cardinality(name_servers) > 1 and (status <> 'active' or elsewhere);--> statement-breakpoint
CREATE INDEX "zones_owner_paid" ON "zones" USING btree ("owner_id",coalesce(paid_until, 'infinity'),"name","id","dims","paid_until","registrar_id");--> statement-breakpoint
CREATE INDEX "zones_registrar" ON "zones" USING btree ("registrar_id","owner_id","name","id","dims");