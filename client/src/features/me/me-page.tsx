import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl, useMantineColorScheme, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { isLanguage, languages, localeOf } from '#shared/i18n/languages.ts'
import { trpc, api } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { language, setLanguage } from '#client/lib/i18n.ts'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { saveFile } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import forms from '#client/ui/form/form.module.css'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection, ProfileWaiting } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import classes from './me.module.css'

/** The profile page. `children`: settings from other features, between the password and the sessions. */
export function MePage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('me')
  const profile = trpc.me.get.useQuery(undefined, { staleTime: 0 })
  const user = profile.data?.user
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} />
      {user !== undefined ? (
        // A concurrent change of the profile resets the form; another language does not.
        <ProfileSection key={JSON.stringify([user.name, user.username, user.email])} profile={user} />
      ) : profile.isError ? (
        <ErrorState title={t('profile.failed')} error={profile.error} onRetry={() => void profile.refetch()} />
      ) : (
        <ProfileWaiting />
      )}
      <AppearanceSection />
      <PasswordSection />
      {/* The sessions load together with the content above, so that nothing visible moves. */}
      <Suspense>
        {children}
        <SessionsSection />
        <DataSection />
      </Suspense>
    </div>
  )
}

/** The language of the panel and of messages, and the theme of this browser. */
function AppearanceSection() {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const update = trpc.me.update.useMutation({
    meta: { failure: t('appearance.failed') },
    onSuccess: (answer) => utils.me.get.setData(undefined, answer),
  })
  const current = language()
  return (
    <FormSection title={t('appearance.title')} text={t('appearance.text')}>
      <div className={`flex wrap ${classes['choices']}`}>
        <div className="column gap-4 top size-13 medium">
          <span id="me-language">{t('appearance.language')}</span>
          <SegmentedControl
            aria-labelledby="me-language"
            value={current}
            onChange={(next) => {
              if (!isLanguage(next)) return
              void setLanguage(next)
              update.mutate({ language: next })
            }}
            data={languages.map((option) => ({ value: option, label: localeOf[option].name }))}
          />
        </div>
        <div className="column gap-4 top size-13 medium">
          <span id="me-theme">{t('appearance.theme')}</span>
          <SegmentedControl
            aria-labelledby="me-theme"
            value={colorScheme === 'light' ? 'light' : 'dark'}
            onChange={(next) => setColorScheme(next === 'light' ? 'light' : 'dark')}
            data={(['dark', 'light'] as const).map((option) => ({ value: option, label: t(`appearance.${option}`) }))}
          />
        </div>
      </div>
    </FormSection>
  )
}

/** Downloads all data of the user as a file, in chunks, with the option to cancel. */
function DataSection() {
  const { t } = useTranslation(['me', 'common'])
  const [saving, setSaving] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const save = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setSaving(true)
    try {
      const parts: string[] = []
      for (let cursor: string | undefined; ;) {
        const input = cursor === undefined ? {} : { cursor }
        const { text, nextCursor } = await api.me.export.query(input, { signal: stop.signal, context: { unbatched: true } })
        parts.push(text)
        if (nextCursor === null) break
        cursor = nextCursor
      }
      saveFile('zonedeck-export.json', 'application/json', ...parts)
    } catch (error) {
      if (!stop.signal.aborted) toast.failure(error, t('data.failed'))
    } finally {
      setSaving(false)
    }
  }

  return (
    <FormSection title={t('data.title')} text={t('data.text')}>
      <div className={forms['actions']}>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.8} aria-hidden />}
          loading={saving}
          onClick={() => void save()}
        >
          {t('data.export')}
        </Button>
        {saving && (
          <Button variant="default" onClick={() => running.current?.abort()}>
            {t('common:cancel')}
          </Button>
        )}
      </div>
    </FormSection>
  )
}
