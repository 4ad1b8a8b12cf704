import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiStatus, checkApi } from '#client/lib/api-status.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { failureOf, messageOf, providerWords } from '#client/lib/errors.ts'
import { isNotLoaded } from '#client/lib/lazy-part.tsx'

const lookEveryMs = 5_000

/** A page that failed to load or render. A missing chunk means that the panel was updated or that there is no connection. */
export function ErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation(['shell', 'common'])
  const called = failureOf(error).kind !== 'unknown'
  if (isNotLoaded(error)) return <NotLoaded />
  return (
    <EmptyState
      picture="broken"
      heading="h1"
      title={called ? messageOf(error) : t('broken.title')}
      text={called ? providerWords(error) : t('broken.text')}
      action={<Button onClick={() => location.reload()}>{t('common:reload')}</Button>}
    />
  )
}

/** Browsers do not retry a failed module, so the page is reloaded as soon as the panel answers. */
function NotLoaded() {
  const { t } = useTranslation(['shell', 'common'])
  const { state } = apiStatus.use()
  const [away, setAway] = useState(false)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    void checkApi()
  }, [])
  useEffect(() => {
    if (state === 'offline') setAway(true)
  }, [state])
  useEffect(() => {
    if (!away) return
    if (state === 'online') location.reload()
    const timer = setInterval(() => void checkApi(), lookEveryMs)
    return () => clearInterval(timer)
  }, [away, state])

  if (!away)
    return (
      <EmptyState
        picture="broken"
        heading="h1"
        title={t('broken.title')}
        text={t('broken.outdated')}
        action={<Button onClick={() => location.reload()}>{t('common:reload')}</Button>}
      />
    )
  const ask = async (): Promise<void> => {
    setAsking(true)
    await checkApi()
    setAsking(false)
  }
  return (
    <EmptyState
      picture="lost"
      heading="h1"
      title={t('offline.title')}
      text={t('offline.text')}
      action={
        <Button loading={asking} onClick={() => void ask()}>
          {t('common:retry')}
        </Button>
      }
    />
  )
}
