import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, type Inputs } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { useOperationWords } from './use-operation-words.ts'

type Change = Inputs['operations']['previewChange']

/** The warnings of one change of one domain; nothing while they load or if they are unavailable. */
export function ChangeWarnings({ id, change }: Change) {
  const words = useOperationWords()
  const preview = useQuery({
    queryKey: ['change-dangers', id, change],
    queryFn: () => api.operations.previewChange.mutate({ id, change }),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { failure: false },
  })
  return (preview.data?.preview.dangers ?? []).map((code) => {
    const { title, text } = words.danger(code)
    return (
      <WarningBox key={code} title={title} live>
        {text}
      </WarningBox>
    )
  })
}
