import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import type { PurchaseTotal } from '#shared/features/registrars/buying/schema.ts'
import type { Outputs } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { isOfBatches } from './item-texts.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

export type Preview = OperationPreview & {
  totals?: readonly PurchaseTotal[]
} & Partial<Pick<Outputs['operations']['previewDomainRedirects'], 'accounts' | 'dnsOnly'>>

const mild: ReadonlySet<string> = new Set(['rules_unread', 'records_unread', 'ip_access_unread'])

/** The warnings of a preview; their domains can be listed and excluded. */
export function PreviewWarnings({
  preview: { operation, dangers, totals, shares, dnsOnly },
  before,
  runs,
  excluded,
  excluding,
  onShow,
  onExclude,
}: {
  preview: Preview
  /** The preview with all domains. */
  before: Preview
  runs: number
  excluded: readonly string[]
  excluding: boolean
  onShow: (code: string) => void
  onExclude: (codes: readonly string[]) => void
}) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  return (
    <>
      {Object.entries(dangers).map(([code, count]) => {
        // These hostnames are listed with the accounts.
        if (code === 'redirect_dns_only' && dnsOnly !== undefined && dnsOnly.count > 0) return null
        const danger = words.danger(code)
        return (
          <WarningBox
            key={code}
            tone={mild.has(code) ? 'warn' : 'bad'}
            title={`${danger.title} · ${words.items(operation, count)}`}
            {...(runs > 1 && {
              actions: (
                <>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`${t('preview.show_warned')}: ${danger.title}`}
                    onClick={() => onShow(code)}
                  >
                    {t('preview.show_warned')}
                  </Button>
                  {count === runs || totals !== undefined || shares !== undefined || isOfBatches(operation) ? null : (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={`${t('preview.exclude')}: ${danger.title}`}
                      loading={excluding}
                      onClick={() => onExclude([...excluded, code])}
                    >
                      {t('preview.exclude')}
                    </Button>
                  )}
                </>
              ),
            })}
          >
            {danger.text}
          </WarningBox>
        )
      })}
      {excluded.map((code) => (
        <div key={code} className="row wrap gap-8">
          <span className={`size-12 muted ${classes['quiet']}`}>
            {t('preview.excluded', { warning: words.danger(code).title, domains: words.items(operation, before.dangers[code] ?? 0) })}
          </span>
          <Button
            variant="subtle"
            size="compact-sm"
            loading={excluding}
            onClick={() => onExclude(excluded.filter((each) => each !== code))}
          >
            {t('preview.include')}
          </Button>
        </div>
      ))}
    </>
  )
}
