ALTER TYPE "public"."change_subject" ADD VALUE 'ip_rule';--> statement-breakpoint
CREATE TABLE "ip_rule_expiries" (
	"account_id" uuid NOT NULL,
	"zone_id" uuid,
	"rule_id" text NOT NULL,
	"mode" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ip_rule_expiries_account_id_rule_id_pk" PRIMARY KEY("account_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "zone_ip_rules" (
	"zone_id" uuid PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ip_rule_expiries" ADD CONSTRAINT "ip_rule_expiries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ip_rule_expiries" ADD CONSTRAINT "ip_rule_expiries_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "zone_ip_rules" ADD CONSTRAINT "zone_ip_rules_zone_id_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ip_rule_expiries_due" ON "ip_rule_expiries" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "ip_rule_expiries_zone" ON "ip_rule_expiries" USING btree ("zone_id");