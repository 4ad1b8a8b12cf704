const gap = '\u0000'

/** A text with one gap, translated once and filled often: a table asks for hundreds at every key that is typed into its search. */
export function gapText(translate: (gap: string) => string): (value: string) => string {
  const [before = '', after = ''] = translate(gap).split(gap)
  return (value) => before + value + after
}
