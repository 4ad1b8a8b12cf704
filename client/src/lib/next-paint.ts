/** A page in the background is not painted. */
const hiddenMs = 100

/** Resolves after the next paint, so that the answer to a click or key is visible before the work that it starts. */
export const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, hiddenMs)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
