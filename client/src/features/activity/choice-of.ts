import { activityChoices, type ActivityChoice } from '#shared/features/activity/details.ts'

const all: Readonly<Partial<Record<string, readonly ActivityChoice[]>>> = activityChoices

/** Null for what is anybody's own text: a name that is `all` stays that. */
export const choiceOf = (key: string, value: unknown): ActivityChoice | null => all[key]?.find((each) => each === value) ?? null
