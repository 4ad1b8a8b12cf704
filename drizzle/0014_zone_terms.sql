CREATE INDEX "zones_owner_script" ON "zones" USING btree ("owner_id","name","id","dims","search") WHERE search <> name;
--> statement-breakpoint
-- The runs of three characters of a name (see 0003) beside whose it is: a search reads nobody else's rows. No name has U+0001.
CREATE FUNCTION zone_terms(owner uuid, search text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT COST 2000 AS
$$ SELECT array_to_tsvector(array_agg(substr(search, i, 3)) || (E'\u0001' || owner)) FROM generate_series(1, length(search)) i $$;
--> statement-breakpoint
CREATE INDEX "zones_terms" ON "zones" USING gin (zone_terms("owner_id", "search"));
--> statement-breakpoint
DROP INDEX "zones_search";
--> statement-breakpoint
DROP FUNCTION name_grams(text);
