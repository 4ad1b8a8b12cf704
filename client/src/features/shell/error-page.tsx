import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'

/** A page that could not load or draw itself. A chunk that is gone means that the panel was updated. */
export function ErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation(['shell', 'common'])
  const called = failureOf(error).kind !== 'unknown'
  const outdated = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  return (
    <EmptyState
      picture="broken"
      heading="h1"
      title={called ? messageOf(error) : t('broken.title')}
      text={called ? providerWords(error) : outdated ? t('broken.outdated') : t('broken.text')}
      action={<Button onClick={() => location.reload()}>{t('common:reload')}</Button>}
    />
  )
}
