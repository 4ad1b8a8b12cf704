import { useQueryClient } from '@tanstack/react-query'
import { previewCalls } from '#shared/features/api-calls/preview-calls.ts'
import { CopyCalls } from '#client/ui/display/copy-calls.tsx'

/** What the preview of this operation was asked with: the request that made it is still in the cache. */
function useCalls(id: string, excluded: readonly string[]) {
  const isIt = (answer: unknown) => (answer as { operation?: { id?: unknown } } | undefined)?.operation?.id === id
  // Whatever changes the draft afterwards answers with its operation too; what made it comes first.
  const made = useQueryClient()
    .getMutationCache()
    .getAll()
    .find(({ state }) => isIt(state.data))
  const path = made?.options.mutationKey?.[0]
  if (!Array.isArray(path)) return null
  return previewCalls(path.join('.'), made?.state.variables as Readonly<Record<string, unknown>>, window.location.origin, excluded)
}

/** An operation as calls of the API, for somebody who wants it again from a program. */
export function CopyApiCall({ id, excluded }: { id: string; excluded: readonly string[] }) {
  const calls = useCalls(id, excluded)
  if (calls === null) return null
  return (
    <div className="flex wrap gap-8 end">
      <CopyCalls write={() => calls} />
    </div>
  )
}
