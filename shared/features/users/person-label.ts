/** No username has a space, so what stands behind the last of these is always the username, whatever a name contains. */
const between = ' · '

/** How a person is named to others: anybody may give themselves anybody's name, but a username is one person's only. */
export const personLabel = ({ name, username }: { readonly name: string | null; readonly username: string }): string =>
  name === null || name === '' || name === username ? username : `${name}${between}${username}`

/** The two parts of a label; a person without a name is their username. */
export function partsOfPerson(label: string): { name: string | null; username: string } {
  const at = label.lastIndexOf(between)
  return at < 0 ? { name: null, username: label } : { name: label.slice(0, at), username: label.slice(at + between.length) }
}
