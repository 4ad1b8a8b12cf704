/** Registrars of which no two are called alike: with the account's email behind the name, or a number where that does not tell either. */
export function tellApart<R extends { readonly name: string; readonly email: string | null }>(all: readonly R[]): readonly R[] {
  const alike = new Map<string, R[]>()
  for (const each of all) alike.set(each.name, [...(alike.get(each.name) ?? []), each])
  return all.map((each) => {
    const same = alike.get(each.name) ?? []
    if (same.length < 2) return each
    const byEmail = each.email !== null && same.filter(({ email }) => email === each.email).length === 1
    return { ...each, name: byEmail ? `${each.name} · ${each.email}` : `${each.name} (${same.indexOf(each) + 1})` }
  })
}
