import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { useTitle } from '#client/ui/layout/use-title.ts'

/** Shown for any unknown path (R-RTE-04). */
export function NotFoundPage() {
  const { t } = useTranslation('shell')
  useTitle(t('not_found.title'))
  return (
    <EmptyState
      picture="lost"
      heading="h1"
      title={t('not_found.title')}
      text={t('not_found.text')}
      action={
        <Button component={Link} to="/">
          {t('not_found.action')}
        </Button>
      }
    />
  )
}
