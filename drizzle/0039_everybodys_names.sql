-- safe because only writers of zones wait, fourteen seconds with a million zones on a busy machine, and then go on
CREATE INDEX "zones_name" ON "zones" USING btree ("name","id","dims","search");--> statement-breakpoint
-- safe because only writers of zones wait, for about a second
CREATE INDEX "zones_script" ON "zones" USING btree ("name","id","dims","search") WHERE search <> name;
