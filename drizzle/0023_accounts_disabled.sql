CREATE TYPE "public"."session_proof" AS ENUM('password', 'totp', 'passkey', 'recovery');--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "verified_by" "session_proof" DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_at" timestamp (3) with time zone;