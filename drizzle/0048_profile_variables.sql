CREATE TABLE "group_profile_values" (
	"group_id" uuid NOT NULL,
	"profile_id" uuid NOT NULL,
	"values" jsonb NOT NULL,
	CONSTRAINT "group_profile_values_group_id_profile_id_pk" PRIMARY KEY("group_id","profile_id")
);
--> statement-breakpoint
CREATE TABLE "zone_profile_values" (
	"zone_id" uuid NOT NULL,
	"profile_id" uuid NOT NULL,
	"values" jsonb NOT NULL,
	CONSTRAINT "zone_profile_values_zone_id_profile_id_pk" PRIMARY KEY("zone_id","profile_id")
);
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "variables" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "group_profile_values" ADD CONSTRAINT "group_profile_values_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_profile_values" ADD CONSTRAINT "group_profile_values_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_profile_values" ADD CONSTRAINT "zone_profile_values_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_profile_values" ADD CONSTRAINT "zone_profile_values_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_profile_values_profile" ON "group_profile_values" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "zone_profile_values_profile" ON "zone_profile_values" USING btree ("profile_id");