import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { api } from '#client/lib/trpc.ts'
import type { ActivityQuery } from './search.ts'

/** Downloads all matching entries as a file, in chunks, with the option to cancel. */
export function ExportButton({ query, disabled }: { query: ActivityQuery; disabled: boolean }) {
  const { t } = useTranslation('activity')
  const [done, setDone] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const save = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setDone(0)
    try {
      const parts: string[] = []
      let rows = -1
      for (let cursor: string | undefined; ;) {
        const { text, nextCursor } = await api.activity.export.query(
          { ...query, ...(cursor !== undefined && { cursor }) },
          { signal: stop.signal, context: { unbatched: true } },
        )
        parts.push(text)
        rows += text.split('\r\n').length - 1
        setDone(rows)
        if (nextCursor === null) break
        cursor = nextCursor
      }
      saveFile('activity-logs.csv', 'text/csv', ...parts)
    } catch (error) {
      if (!stop.signal.aborted) toast.failure(error, t('export_failed'))
    } finally {
      setDone(null)
    }
  }

  return done === null ? (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}
      disabled={disabled}
      onClick={() => void save()}
    >
      {t('export')}
    </Button>
  ) : (
    <>
      <span role="status">{t('exporting', { formatted: formatNumber(Math.max(0, done)) })}</span>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {t('export_stop')}
      </Button>
    </>
  )
}
