-- With n in the index, so that counting reads nothing else.
CREATE UNIQUE INDEX "zone_counts_key" ON "zone_counts" ("owner_id", "kind", "key", "dims") INCLUDE ("n");
--> statement-breakpoint
-- Byte order, whatever the database's language: a beginning of a name is then a range of the index.
ALTER TABLE "zones" ALTER COLUMN "name" TYPE text COLLATE "C";
--> statement-breakpoint
-- Every run of three characters, and the shorter ones at the end; shorter terms are beginnings of these. Unlike pg_trgm this
-- finds two characters, any script, whatever the database's language.
CREATE FUNCTION name_grams(text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
$$ SELECT array_to_tsvector(array_agg(substr($1, i, 3))) FROM generate_series(1, length($1)) i $$;
--> statement-breakpoint
CREATE INDEX "zones_search" ON "zones" USING gin (name_grams("search"));
--> statement-breakpoint
CREATE FUNCTION address_terms(text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
$$ SELECT array_to_tsvector(array_remove(array_remove($1, ''), NULL)) $$;
--> statement-breakpoint
CREATE INDEX "zones_addresses" ON "zones" USING gin (address_terms("origin_ips"));
--> statement-breakpoint
CREATE FUNCTION zone_derived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account_email = coalesce((SELECT lower(email) FROM accounts WHERE id = NEW.account_id), '');
  NEW.addresses = ' ' || array_to_string(NEW.origin_ips, ' ');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER zones_derived BEFORE INSERT OR UPDATE OF account_id, origin_ips ON zones FOR EACH ROW EXECUTE FUNCTION zone_derived();
--> statement-breakpoint
CREATE FUNCTION account_email_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE zones SET account_email = lower(NEW.email) WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER accounts_email_changed AFTER UPDATE OF email ON accounts FOR EACH ROW
  WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION account_email_changed();
--> statement-breakpoint
-- Appends what a statement changed to the counts; a change of nothing that is counted appends nothing.
CREATE FUNCTION zones_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_count_changes (owner_id, kind, key, dims, n)
  SELECT owner_id, kind, key, counted, count(*)
  FROM added CROSS JOIN LATERAL (VALUES (0, owner_id, dims), (1, account_id, dims), (2, group_id, dims), (3, account_id, 0), (4, group_id, 0)) AS k (kind, key, counted)
  WHERE key IS NOT NULL GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION zones_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_count_changes (owner_id, kind, key, dims, n)
  SELECT owner_id, kind, key, counted, -count(*)
  FROM removed CROSS JOIN LATERAL (VALUES (0, owner_id, dims), (1, account_id, dims), (2, group_id, dims), (3, account_id, 0), (4, group_id, 0)) AS k (kind, key, counted)
  WHERE key IS NOT NULL GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION zones_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_count_changes (owner_id, kind, key, dims, n)
  SELECT owner_id, kind, key, counted, sum(n)
  FROM (
    SELECT owner_id, account_id, group_id, dims, -1 AS n FROM removed
    UNION ALL SELECT owner_id, account_id, group_id, dims, 1 FROM added
  ) AS both_sides CROSS JOIN LATERAL (VALUES (0, owner_id, dims), (1, account_id, dims), (2, group_id, dims), (3, account_id, 0), (4, group_id, 0)) AS k (kind, key, counted)
  WHERE key IS NOT NULL GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER zones_inserted AFTER INSERT ON zones REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION zones_inserted();
--> statement-breakpoint
CREATE TRIGGER zones_deleted AFTER DELETE ON zones REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION zones_deleted();
--> statement-breakpoint
CREATE TRIGGER zones_updated AFTER UPDATE ON zones REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION zones_updated();
--> statement-breakpoint
INSERT INTO zone_count_changes (owner_id, kind, key, dims, n)
SELECT owner_id, kind, key, counted, count(*)
FROM zones CROSS JOIN LATERAL (VALUES (0, owner_id, dims), (1, account_id, dims), (2, group_id, dims), (3, account_id, 0), (4, group_id, 0)) AS k (kind, key, counted)
WHERE key IS NOT NULL GROUP BY 1, 2, 3, 4;
