CREATE TABLE "workers" (
	"worker" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
