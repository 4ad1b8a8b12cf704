import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted } from '#client/lib/format.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { useProfileActions, type Profile } from './mutations.ts'
import { ProfileCard, profileCardHeight } from './profile-card.tsx'
import type { ProfileAction } from './profile-menu.tsx'

const ProfileDialog = lateDialog(async () => (await import('./profile-dialog.tsx')).ProfileDialog)
const ProfileDomainsDialog = lateDialog(async () => (await import('./profile-domains-dialog.tsx')).ProfileDomainsDialog)

type Dialog = Extract<ProfileAction, 'domains' | 'edit' | 'delete'>

/** Profiles with their domains. */
export function ProfilesPage() {
  const { t } = useTranslation('profiles')
  const list = trpc.profiles.list.useQuery()
  const actions = useProfileActions()
  const [dialog, setDialog] = useState<{ kind: Dialog; id: string } | null>(null)
  useLiveQueries('profiles')

  const profiles = list.data?.profiles
  const profile = profiles?.find(({ id }) => id === dialog?.id)
  const withOwner = new Set(profiles?.map(({ ownerId }) => ownerId)).size > 1
  const close = (): void => setDialog(null)

  const act = (row: Profile, action: ProfileAction): void => {
    // Toasts have reported a failure.
    if (action === 'duplicate') actions.duplicate(row).catch(() => undefined)
    else if (action === 'default') actions.setDefault(row, !row.isDefault).catch(() => undefined)
    else setDialog({ kind: action, id: row.id })
  }
  /** Domains are unchanged, so applying the profile is offered. */
  const saved = ({ id, domains }: Profile): void => {
    if (domains === 0) return
    toast.undoable(t('domains_stay', counted(domains)), t('actions.domains'), () => setDialog({ kind: 'domains', id }))
  }
  const add = (label: string) => (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('profile')}>
      {label}
    </Button>
  )

  return (
    <EntityListPage
      title={t('title')}
      count={profiles?.length}
      actions={add(t('add'))}
      list={list}
      failed={t('failed.load')}
      untouched={
        profiles?.length === 0 ? (
          <EmptyState picture="empty" title={t('empty.title')} text={t('empty.text')} action={add(t('empty.action'))} />
        ) : null
      }
      rows={profiles ?? []}
      card={(row) => <ProfileCard profile={row} owner={withOwner ? row.ownerName : null} onAction={(action) => act(row, action)} />}
      cardHeight={profileCardHeight}
      cardWidth={340}
    >
      {profile === undefined || dialog === null ? null : dialog.kind === 'edit' ? (
        <ProfileDialog profile={profile} onSaved={saved} onClose={close} />
      ) : dialog.kind === 'delete' ? (
        <DeleteProfileDialog profile={profile} onClose={close} />
      ) : (
        <ProfileDomainsDialog profile={profile} onClose={close} />
      )}
    </EntityListPage>
  )
}

/** Confirms a deletion and states that the domains stay unchanged. */
function DeleteProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation('profiles')
  const actions = useProfileActions()
  const count = profile.domains
  return (
    <ConfirmDialog
      title={t('delete.title', { profile: profile.name })}
      consequence={count === 0 ? t('delete.text_empty') : t('delete.text', counted(count))}
      action={t('delete.confirm')}
      count={1}
      onConfirm={() => actions.remove(profile)}
      onClose={onClose}
    />
  )
}
