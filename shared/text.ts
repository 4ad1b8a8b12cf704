/** Allowed characters of a name: no control characters and no bidirectional ones, with which it could imitate another name. */
export const namePattern = /^[^\p{Cc}\p{Bidi_Control}]*$/u

/** `text` without trailing characters from `characters`. A pattern such as `/\/+$/` takes quadratic time over many of them in the middle. */
export function stripEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The same at both ends. */
export function strip(text: string, characters: string): string {
  const stripped = stripEnd(text, characters)
  let start = 0
  while (start < stripped.length && characters.includes(stripped.charAt(start))) start += 1
  return stripped.slice(start)
}

/** The text as a literal part of a LIKE pattern: its wildcards and escapes match themselves. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
