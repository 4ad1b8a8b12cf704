CREATE TABLE "allowed_changes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"kind" "provider_change_kind",
	"account_id" uuid,
	"group_id" uuid,
	"reason" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_changes" ADD COLUMN "is_allowed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "allowed_changes" ADD CONSTRAINT "allowed_changes_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_changes" ADD CONSTRAINT "allowed_changes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_changes" ADD CONSTRAINT "allowed_changes_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_changes" ADD CONSTRAINT "allowed_changes_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allowed_changes_actor" ON "allowed_changes" USING btree ("owner_id","actor");--> statement-breakpoint
CREATE INDEX "allowed_changes_account" ON "allowed_changes" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "allowed_changes_group" ON "allowed_changes" USING btree ("group_id");