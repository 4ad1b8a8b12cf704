CREATE TABLE "redirect_lists" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"list_id" text,
	"rule" text NOT NULL,
	"others_count" integer NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "redirects" (
	"account_id" uuid NOT NULL,
	"key" text GENERATED ALWAYS AS (md5(source)) STORED NOT NULL,
	"source" text NOT NULL,
	"target" text NOT NULL,
	"status" smallint NOT NULL,
	"preserve_query_string" boolean NOT NULL,
	"include_subdomains" boolean NOT NULL,
	"subpath_matching" boolean NOT NULL,
	"preserve_path_suffix" boolean NOT NULL,
	"item_id" text,
	CONSTRAINT "redirects_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
ALTER TABLE "redirect_lists" ADD CONSTRAINT "redirect_lists_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "redirects" ADD CONSTRAINT "redirects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "redirects_source" ON "redirects" USING btree ("account_id",(left(source, 200) collate "C"),"key");