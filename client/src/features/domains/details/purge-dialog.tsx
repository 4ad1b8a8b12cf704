import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { failureOf } from '#client/lib/errors.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { TextPaste } from '#client/ui/form/text-paste.tsx'
import { mostUrls, readPurgeLines } from './purge-lines.ts'

function clearedBefore(error: unknown): number {
  const failure = failureOf(error)
  return failure.kind === 'answered' ? Number(failure.data.params?.['done'] ?? 0) : 0
}

/** Purges the cache, fully or by URL (R-DET-05). */
export function PurgeDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'common'])
  const [mode, setMode] = useState<'everything' | 'files'>('everything')
  const [text, setText] = useState('')
  const purge = trpc.zoneSettings.purgeCache.useMutation({ meta: { failure: false } })
  const lines = readPurgeLines(text, zone.name)
  const files = lines.flatMap((line) => ('url' in line ? [line.url] : []))
  const faults = lines.flatMap((line) =>
    'fault' in line
      ? [{ number: line.number, tone: 'bad' as const, text: t(`purge.fault.${line.fault}`, { domain: zone.displayName }) }]
      : [],
  )
  const tooMany = files.length > mostUrls
  const ready = mode === 'everything' || (files.length > 0 && faults.length === 0 && !tooMany)
  const fileCount = counted(files.length)

  const run = async (): Promise<void> => {
    if (!ready || purge.isPending) return
    try {
      await purge.mutateAsync(mode === 'everything' ? { id: zone.id, purgeEverything: true } : { id: zone.id, files })
      toast.success(mode === 'everything' ? t('purge.done') : t('purge.done_files', fileCount))
      onClose()
    } catch (error) {
      // URLs are sent in batches: those purged before a failed batch stay purged.
      const done = clearedBefore(error)
      toast.failure(error, done === 0 ? t('failed.purge') : t('purge.done_some', { done: formatNumber(done), ...fileCount }))
    }
  }

  return (
    <Dialog onClose={purge.isPending ? () => undefined : onClose} title={t('purge.title', { domain: zone.displayName })} size={520}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, run)}>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('purge.what')}
          value={mode}
          onChange={setMode}
          data={[
            { value: 'everything', label: t('purge.everything') },
            { value: 'files', label: t('purge.files') },
          ]}
        />
        {mode === 'everything' ? (
          <p className="column gap-8 top size-13 secondary">{t('purge.everything_text')}</p>
        ) : (
          <TextPaste
            label={t('purge.addresses')}
            help={t('purge.help', { most: formatNumber(mostUrls) })}
            placeholder={`https://${zone.name}/style.css\n/images/logo.png`}
            value={text}
            onChange={setText}
            error={tooMany ? t('purge.too_many', { most: formatNumber(mostUrls) }) : undefined}
            faults={faults}
            summary={t('purge.understood', fileCount)}
            rows={6}
          />
        )}
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={purge.isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={purge.isPending} disabled={!ready} data-autofocus={mode === 'everything' || undefined}>
            {t('purge.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
