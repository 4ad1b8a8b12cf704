ALTER TYPE "public"."registrar_provider" ADD VALUE 'OTHER';--> statement-breakpoint
ALTER TABLE "registrars" ADD COLUMN "company" text;