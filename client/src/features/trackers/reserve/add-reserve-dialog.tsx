import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { splitNames } from '#client/features/domains/index.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { api } from '#client/lib/trpc.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { ReserveDialog } from './reserve-dialog.tsx'

const waitMs = 350
const mostNames = 1_000

/** Adds domains of the panel to the reserve, one name per line; the parsed names are shown immediately. */
export function AddReserveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['trackers', 'common'])
  const [text, setText] = useState('')
  const [selected, setSelected] = useState<readonly string[] | null>(null)
  const [asked] = useDebouncedValue(text, waitMs)
  const lines = useMemo(
    () => asked.split('\n').flatMap((line, index) => splitNames(line).map((name) => ({ name, line: index + 1 }))),
    [asked],
  )
  const tooMany = lines.length > mostNames
  const lookup = useQuery({
    queryKey: ['trackers', 'lookup', asked],
    queryFn: ({ signal }) => api.domains.lookup.mutate({ names: lines.map(({ name }) => name) }, { signal }),
    enabled: lines.length > 0 && !tooMany,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 30_000,
  })
  const settled = text === asked && !lookup.isFetching
  const read = (lines.length > 0 && settled ? (lookup.data?.results ?? []) : []).map(({ given, state, domain }, index) => ({
    given,
    line: lines[index]?.line ?? 1,
    id: domain?.id ?? null,
    state,
  }))
  const ids = [...new Set(read.flatMap(({ id }) => id ?? []))]
  const amount = counted(ids.length)
  if (selected !== null) {
    return <ReserveDialog domainIdsOf={() => Promise.resolve([...selected])} count={selected.length} onDone={onClose} onClose={onClose} />
  }
  return (
    <Dialog onClose={onClose} title={t('reserve.add')} size={560}>
      <form
        className="column gap-16"
        onSubmit={(event) =>
          handleSubmit(event, () => {
            if (settled && ids.length > 0) setSelected(ids)
          })
        }
      >
        <TextPaste
          label={t('reserve.names')}
          help={t('reserve.names_help')}
          placeholder={'spare-1.example\nspare-2.example'}
          value={text}
          onChange={setText}
          error={tooMany ? t('reserve.most', { most: formatNumber(mostNames) }) : lookup.isError ? t('reserve.failed_lookup') : undefined}
          faults={read
            .filter(({ id }) => id === null)
            .map(({ line, given, state }) => ({
              number: line,
              tone: state === 'repeated' ? ('warn' as const) : ('bad' as const),
              text: `${given}: ${t(state === 'repeated' ? 'reserve.repeated' : state === 'invalid' ? 'reserve.invalid' : 'reserve.absent')}`,
            }))}
          summary={settled ? t('reserve.found', amount) : t('reserve.looking')}
          rows={8}
        />
        <FormEnd action={t('reserve.next')} busy={false} incomplete={!settled || ids.length === 0} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
