import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { DataSection } from './data-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection, ProfileWaiting } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import classes from './me.module.css'

/** A person's own page. `children`: what other features have to set about a person, between the password and the sessions. */
export function MePage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('me')
  const profile = trpc.me.get.useQuery(undefined, { staleTime: 0 })
  const user = profile.data?.user
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} />
      {user !== undefined ? (
        // Somebody else's change of it, once it is here, begins the form anew; another language does not.
        <ProfileSection key={JSON.stringify([user.name, user.username, user.email])} profile={user} />
      ) : profile.isError ? (
        <ErrorState title={t('profile.failed')} error={profile.error} onRetry={() => void profile.refetch()} />
      ) : (
        <ProfileWaiting />
      )}
      <AppearanceSection />
      <PasswordSection />
      {/* The sessions come with what stands above them: nothing that is seen already moves. */}
      <Suspense>
        {children}
        <SessionsSection />
        <DataSection />
      </Suspense>
    </div>
  )
}
