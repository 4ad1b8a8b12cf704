/** The text as a literal part of a LIKE pattern: its wildcards and escapes match themselves. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
