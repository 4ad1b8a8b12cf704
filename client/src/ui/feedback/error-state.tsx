import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { EmptyState } from './empty-state.tsx'

/** A part of a page that failed to load: what happened, the provider's message, and what to do. */
export function ErrorState({
  error,
  title,
  onRetry,
}: {
  error: unknown
  /** What failed to load; defaults to ‘data’. */
  title?: string
  onRetry: () => void
}) {
  const { t } = useTranslation(['common', 'errors'])
  const failure = failureOf(error)
  const id = failure.kind === 'answered' ? failure.data.requestId : null
  const words = [messageOf(error), providerWords(error), id === null ? undefined : t('errors:general.request_id', { id })]
  return (
    <EmptyState
      picture="broken"
      title={title ?? t('errors:general.loading')}
      text={words.filter((word) => word !== undefined).join('\n')}
      action={
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      }
    />
  )
}
