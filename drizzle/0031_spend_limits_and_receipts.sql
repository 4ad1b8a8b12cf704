ALTER TYPE "public"."token_scope" ADD VALUE 'buy';--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "spend_limit_usd" integer;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "fees_minor" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "spend_limit_usd" integer;