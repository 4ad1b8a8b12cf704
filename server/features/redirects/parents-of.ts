/** The host and its parents, longest first. */
export function parentsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}
