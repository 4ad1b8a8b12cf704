/** After a disappearance, this many more lists are read, at least ten minutes apart. */
export const mostConfirmations = 2
/** Minimum time between two lists that are compared. */
export const nextListSeconds = 600

/** A list that lacks more than both this count and this share of what is known may be an error, or a mass deletion. */
export const believedLoss = { count: 5, share: 0.02 }
