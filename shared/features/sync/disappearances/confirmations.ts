/** After a disappearance, this many more lists are read, at least ten minutes apart. */
export const mostConfirmations = 2
/** Minimum time between two lists that are compared. */
export const nextListSeconds = 600
