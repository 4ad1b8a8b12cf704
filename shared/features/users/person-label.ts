/** Usernames have no spaces, so the text after the last separator is always the username, whatever a name contains. */
const between = ' · '

/** How a user is shown to others: names can be imitated, but a username is unique. */
export const personLabel = ({ name, username }: { readonly name: string | null; readonly username: string }): string =>
  name === null || name === '' || name === username ? username : `${name}${between}${username}`

/** The two parts of a label; for a user without a name, the username. */
export function partsOfPerson(label: string): { name: string | null; username: string } {
  const at = label.lastIndexOf(between)
  return at < 0 ? { name: null, username: label } : { name: label.slice(0, at), username: label.slice(at + between.length) }
}
