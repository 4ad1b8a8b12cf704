-- Counts are read from the index only while few of their pages have changed since the last vacuum, which takes a tenth of a second.
ALTER TABLE "zone_counts" SET (autovacuum_vacuum_scale_factor = 0.01);
