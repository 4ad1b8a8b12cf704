import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { EmptyState } from './empty-state.tsx'

/** A part of a page that could not be loaded: what happened, whose words, and what to do. */
export function ErrorState({
  error,
  title,
  onRetry,
}: {
  error: unknown
  /** What could not be loaded; ‘data’ if absent. */
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
