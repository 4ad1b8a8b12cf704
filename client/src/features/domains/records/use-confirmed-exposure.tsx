import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'

interface Request {
  readonly records: readonly DnsRecord[]
  readonly run: () => void
}

type Records = readonly Pick<DnsRecord, 'proxied' | 'content'>[]
const exposes = (records: Records, hidden: ReadonlySet<string>) => records.some(({ proxied, content }) => proxied && hidden.has(content))

/**
 * Asks for confirmation before the proxy of a record that points to a tracker is switched off.
 * @param hidden addresses of trackers; undefined while loading: requests until then wait for them
 */
export function useConfirmedExposure(hidden: ReadonlySet<string> | undefined): {
  confirm: (records: readonly DnsRecord[], run: () => void) => void
  dialog: ReactNode
} {
  const { t } = useTranslation('records')
  const [request, setRequest] = useState<Request | null>(null)
  const known = useRef(hidden)
  const harmless = request !== null && hidden !== undefined && !exposes(request.records, hidden)
  useEffect(() => {
    known.current = hidden
    if (!harmless || request === null) return
    setRequest(null)
    request.run()
  }, [hidden, harmless, request])
  const confirm = useCallback((records: readonly DnsRecord[], run: () => void) => {
    if (known.current !== undefined && !exposes(records, known.current)) run()
    else setRequest({ records, run })
  }, [])
  const dialog =
    request === null || hidden === undefined || harmless ? null : (
      <ConfirmDialog
        title={t('exposes.title')}
        consequence={t('exposes.text')}
        action={t('exposes.action')}
        count={request.records.length}
        onConfirm={() => Promise.resolve(request.run())}
        onClose={() => setRequest(null)}
      />
    )
  return { confirm, dialog }
}
