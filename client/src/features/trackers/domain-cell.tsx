import { Link } from '@tanstack/react-router'
import { CutName } from './tracker-mark.tsx'

/** A domain in a table; one that is in the panel links to its page. */
export function DomainCell({ domainId, displayName }: { domainId: string | null; displayName: string }) {
  if (domainId === null) return <CutName name={displayName} mono />
  return (
    <Link
      to="/domains/$id"
      params={{ id: domainId }}
      className="cut shrink hover-accent mono"
      title={displayName}
      tabIndex={-1}
      preload={false}
    >
      <bdi>{displayName}</bdi>
    </Link>
  )
}
