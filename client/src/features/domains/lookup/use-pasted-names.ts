import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '#client/lib/trpc.ts'
import { mostNames, pastedNames } from './split-names.ts'

const waitMs = 350

/** The text of a field for names, each looked up in the panel when the typing pauses; `most` names at a time. */
export function usePastedNames(most = mostNames) {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text, waitMs)
  const names = useMemo(() => pastedNames(asked), [asked])
  const tooMany = names.length > most
  const { data, isError, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['lookup', 'pasted', asked],
    queryFn: ({ signal }) => api.domains.lookup.mutate({ names: names.map(({ name }) => name) }, { signal }),
    enabled: names.length > 0 && !tooMany,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 30_000,
  })
  const results = names.length > 0 && !isPlaceholderData ? (data?.results ?? []) : []
  return {
    text,
    setText,
    tooMany: tooMany ? most : null,
    failed: isError,
    /** The results are those of the text. */
    settled: text === asked && !isFetching,
    results: results.map((result, index) => ({ ...result, line: names[index]?.line ?? 1 })),
  }
}
