import { useQueryClient } from '@tanstack/react-query'
import { previewCalls } from '#shared/features/api-calls/preview-calls.ts'
import { CopyCalls } from '#client/ui/display/copy-calls.tsx'

/** The input that created this preview, from the mutation cache. */
function useCalls(id: string, excluded: readonly string[]) {
  const isIt = (answer: unknown) => (answer as { operation?: { id?: unknown } } | undefined)?.operation?.id === id
  // Later changes of the draft also return its operation, but the mutation that created it comes first.
  const made = useQueryClient()
    .getMutationCache()
    .getAll()
    .find(({ state }) => isIt(state.data))
  const path = made?.options.mutationKey?.[0]
  if (!Array.isArray(path)) return null
  return previewCalls(path.join('.'), made?.state.variables as Readonly<Record<string, unknown>>, window.location.origin, excluded)
}

/** Copies an operation as API calls, to repeat it from a program. */
export function CopyApiCall({ id, excluded }: { id: string; excluded: readonly string[] }) {
  const calls = useCalls(id, excluded)
  if (calls === null) return null
  return (
    <div className="flex wrap gap-8 end">
      <CopyCalls write={() => calls} />
    </div>
  )
}
