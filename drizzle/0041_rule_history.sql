ALTER TYPE "public"."change_subject" ADD VALUE 'rule';--> statement-breakpoint
ALTER TYPE "public"."change_subject" ADD VALUE 'rule_order';