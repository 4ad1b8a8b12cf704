export interface DomainValue {
  domain: string
  value: string
}

/** Parses lines of `domain;value`; a value may contain semicolons. `wrong`: the number of the first invalid line. */
export function parseDomainValues(text: string): { values: DomainValue[]; wrong: number | null } {
  const values: DomainValue[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const at = line.search(/[;\t]/)
    const [domain, value] = at === -1 ? ['', ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    if (domain === '' || value === '') return { values, wrong: index + 1 }
    values.push({ domain, value })
  }
  return { values, wrong: null }
}
