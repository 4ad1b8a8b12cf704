import { failureOf, messageOf } from '#client/lib/errors.ts'

/** What stopped it; where it was the server's fault, first of all what was tried. Null where a toast has told of it. */
export function problemOf(error: unknown, tried: string): string | null {
  const failure = failureOf(error)
  if (failure.kind === 'no_response') return null
  const refused = failure.kind === 'answered' && failure.data.httpStatus < 500
  return refused ? messageOf(error) : `${tried}. ${messageOf(error)}`
}
