ALTER TABLE "zones" ADD COLUMN "origin_expires_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "zones_owner_origin" ON "zones" USING btree ("owner_id","origin_expires_at","account_id","group_id","dims") WHERE origin_expires_at is not null;--> statement-breakpoint
-- safe because only few domains have certificates that were read, and old code does not write the column
UPDATE "zones" z SET "origin_expires_at" = coalesce(
  (SELECT min(c.expires_at) FROM "origin_certificates" c WHERE c.zone_id = z.id AND c.serial IS NOT NULL AND c.gone_at IS NULL AND NOT EXISTS (
    SELECT FROM "origin_certificates" l WHERE l.zone_id = z.id AND l.serial IS NOT NULL AND l.gone_at IS NULL AND l.expires_at > c.expires_at AND NOT EXISTS (
      SELECT FROM unnest(c.hostnames) h WHERE h <> ALL (l.hostnames) AND '*' || substr(h, strpos(h, '.')) <> ALL (l.hostnames)))),
  CASE WHEN NOT EXISTS (SELECT FROM "origin_certificates" c WHERE c.zone_id = z.id AND c.serial IS NOT NULL AND c.gone_at IS NULL) THEN 'infinity'::timestamptz END)
FROM "zone_ssl" s WHERE s.zone_id = z.id AND s.origin_read_at IS NOT NULL;
