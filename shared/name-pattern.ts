/** What a name may hold: no control characters, and nothing that turns the direction of writing, which would pass it off as another. */
export const namePattern = /^[^\p{Cc}\p{Bidi_Control}]*$/u
