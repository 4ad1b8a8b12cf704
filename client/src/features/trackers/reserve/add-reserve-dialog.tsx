import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePastedNames } from '#client/features/domains/lookup/index.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { ReserveDialog } from './reserve-dialog.tsx'

const mostNames = 1_000

/** Adds domains of the panel to the reserve, one name per line; the parsed names are shown immediately. */
export function AddReserveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['trackers', 'common'])
  const { text, setText, tooMany, failed, settled, results } = usePastedNames(mostNames)
  const [selected, setSelected] = useState<readonly string[] | null>(null)
  const read = settled ? results : []
  const ids = [...new Set(read.flatMap(({ domain }) => domain?.id ?? []))]
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
          error={tooMany !== null ? t('reserve.most', { most: formatNumber(tooMany) }) : failed ? t('reserve.failed_lookup') : undefined}
          faults={read
            .filter(({ domain }) => domain === null)
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
