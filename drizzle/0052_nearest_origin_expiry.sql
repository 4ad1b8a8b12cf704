ALTER TABLE "zones" ADD COLUMN "origin_expires_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "zones_owner_origin" ON "zones" USING btree ("owner_id","origin_expires_at","account_id","group_id","dims") WHERE origin_expires_at is not null;--> statement-breakpoint
-- safe because it writes only the few domains whose certificates were read and exist; the others are null until they are read again
UPDATE "zones" z SET "origin_expires_at" = n.expires_at
FROM (
  SELECT c.zone_id, min(c.expires_at) AS expires_at FROM "origin_certificates" c JOIN "zone_ssl" s ON s.zone_id = c.zone_id AND s.origin_read_at IS NOT NULL
  WHERE c.serial IS NOT NULL AND c.gone_at IS NULL AND NOT EXISTS (
    SELECT FROM "origin_certificates" l WHERE l.zone_id = c.zone_id AND l.serial IS NOT NULL AND l.gone_at IS NULL AND l.expires_at > c.expires_at AND NOT EXISTS (
      SELECT FROM unnest(c.hostnames) h WHERE h <> ALL (l.hostnames) AND '*' || substr(h, strpos(h, '.')) <> ALL (l.hostnames)))
  GROUP BY c.zone_id
) n WHERE n.zone_id = z.id;
