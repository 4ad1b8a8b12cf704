import { Link } from '@tanstack/react-router'
import { CutName } from './tracker-mark.tsx'

/** A domain in a table; one that is in the panel links to its page. */
export function DomainCell({ zoneId, displayName }: { zoneId: string | null; displayName: string }) {
  if (zoneId === null) return <CutName name={displayName} mono />
  return (
    <Link
      to="/domains/$id"
      params={{ id: zoneId }}
      className="cut shrink hover-accent mono"
      title={displayName}
      tabIndex={-1}
      preload={false}
    >
      <bdi>{displayName}</bdi>
    </Link>
  )
}
