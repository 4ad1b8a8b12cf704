CREATE TABLE "disappearances" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" uuid,
	"registrar_id" uuid,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"keys" text[] NOT NULL,
	"known" integer NOT NULL,
	"sampled" integer NOT NULL,
	"still_there" integer NOT NULL,
	"kept_at" timestamp (3) with time zone,
	"kept_by" text,
	CONSTRAINT "disappearances_account_id_unique" UNIQUE("account_id"),
	CONSTRAINT "disappearances_registrar_id_unique" UNIQUE("registrar_id"),
	CONSTRAINT "disappearances_one_subject" CHECK (num_nonnulls("disappearances"."account_id", "disappearances"."registrar_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "disappearances" ADD CONSTRAINT "disappearances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disappearances" ADD CONSTRAINT "disappearances_registrar_id_registrars_id_fk" FOREIGN KEY ("registrar_id") REFERENCES "public"."registrars"("id") ON DELETE cascade ON UPDATE no action;