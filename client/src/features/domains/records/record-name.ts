/** The part of a record's name before the zone's; `@` for the zone itself. What is not below the zone stays whole. */
export function labelOf(name: string, zoneName: string): string {
  if (name === zoneName) return '@'
  return name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : name
}
