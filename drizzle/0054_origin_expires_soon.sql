-- safe because the index below replaces it, and it only made the filter of the former version faster
DROP INDEX "zones_owner_origin";--> statement-breakpoint
ALTER TABLE "origin_certificates" ADD COLUMN "expires_soon_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "origin_soon_at" timestamp (3) with time zone;--> statement-breakpoint
-- safe because the column is new: no row is in the index yet
CREATE INDEX "zones_owner_origin_soon" ON "zones" USING btree ("owner_id","origin_soon_at","origin_expires_at","account_id","group_id","dims") WHERE origin_soon_at is not null;--> statement-breakpoint
-- safe because it writes only the certificates that were read
UPDATE "origin_certificates" SET "expires_soon_at" = "expires_at" - least(interval '720 hours', "validity_days" * interval '8 hours')
WHERE "expires_at" IS NOT NULL;--> statement-breakpoint
-- safe because it writes only the few domains whose certificates were read
UPDATE "zones" z SET "origin_soon_at" = n.soon_at
FROM (
  SELECT d.id, CASE WHEN d.origin_expires_at = 'infinity' THEN d.origin_expires_at ELSE min(c.expires_soon_at) END AS soon_at
  FROM "zones" d LEFT JOIN "origin_certificates" c ON c.zone_id = d.id AND c.serial IS NOT NULL AND c.gone_at IS NULL AND NOT EXISTS (
    SELECT FROM "origin_certificates" l WHERE l.zone_id = c.zone_id AND l.serial IS NOT NULL AND l.gone_at IS NULL AND l.expires_at > c.expires_at AND NOT EXISTS (
      SELECT FROM unnest(c.hostnames) h WHERE h <> ALL (l.hostnames) AND '*' || substr(h, strpos(h, '.')) <> ALL (l.hostnames)))
  WHERE d.origin_expires_at IS NOT NULL
  GROUP BY d.id
) n WHERE n.id = z.id;
