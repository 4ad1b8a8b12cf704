/** What the world's DNS says of a domain. */
export interface Delegation {
  /**
   * The name servers that resolvers are led to: lower case, without the dot at the end, sorted. Empty: the name does not exist or has
   * none. Null: no answer in time. Never throws; takes three seconds at most.
   */
  findNameServers(name: string): Promise<readonly string[] | null>
}
