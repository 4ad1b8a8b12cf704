import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shareLevels } from '#shared/features/sharing/rules.ts'
import type { Share, ShareLevel } from '#shared/features/sharing/schema.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { useForm } from '#client/lib/forms.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { formatNumber } from '#client/lib/format.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import classes from './sharing.module.css'

const levelOf = (value: string | null): ShareLevel => shareLevels.find((level) => level === value) ?? 'view'

/** Exactly one of its ids. */
type ShareTarget = Inputs['sharing']['list']

/** Grants, changes and revokes access of other users to a resource. */
export function ShareDialog({
  target,
  name,
  domains,
  onClose,
}: {
  target: ShareTarget
  name: string
  /** The number of domains in it. */
  domains: number
  onClose: () => void
}) {
  const { t } = useTranslation('sharing')
  const [taking, setTaking] = useState<Share | null>(null)
  return (
    <Dialog onClose={onClose} title={t('title', { name })} size={560}>
      <div className={`column gap-12 ${classes['body']}`}>
        <GiveForm target={target} />
        <People target={target} onTake={setTaking} />
      </div>
      {taking === null ? null : <TakeDialog share={taking} name={name} domains={domains} onClose={() => setTaking(null)} />}
    </Dialog>
  )
}

function useLevels() {
  const { t } = useTranslation()
  return shareLevels.map((value) => ({ value, label: t(`shared.level.${value}`) }))
}

/** What each level permits on it. */
function useLevelHelp(target: ShareTarget): (level: ShareLevel) => string {
  const { t } = useTranslation('sharing')
  return (level) =>
    'registrarId' in target ? t(`levels_registrar.${level}`) : 'trackerId' in target ? t(`levels_tracker.${level}`) : t(`levels.${level}`)
}

function GiveForm({ target }: { target: ShareTarget }) {
  const { t } = useTranslation('sharing')
  const levels = useLevels()
  const help = useLevelHelp(target)
  const create = trpc.sharing.create.useMutation({ meta: { failure: false } })
  const form = useForm<{ user: string; level: ShareLevel }, Awaited<ReturnType<typeof schemaOf>>>({
    initial: { user: '', level: 'view' },
    schema: schemaOf,
    onSubmit: async (fields) => {
      const { share } = await create.mutateAsync({ ...target, ...fields })
      toast.success(t('done.given'), personLabel(share.user))
      form.set('user', '')
      await refresh('shares')
    },
  })
  return (
    <form className="column gap-12" onSubmit={form.submit} noValidate>
      <div className={`grid gap-12 start ${classes['pair']}`}>
        <TextInput
          {...form.text('user')}
          label={t('user')}
          description={t('user_help')}
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
        />
        <Select
          name="level"
          label={t('level')}
          description={t('level_help')}
          value={form.values.level}
          error={form.errors['level']}
          onChange={(level) => form.set('level', levelOf(level))}
          data={levels}
          allowDeselect={false}
        />
      </div>
      <p className={classes['help']} aria-live="polite">
        {help(form.values.level)}
      </p>
      <div className="flex end">
        <Button type="submit" loading={form.submitting}>
          {t('give')}
        </Button>
      </div>
    </form>
  )
}

/** The resource is not an input field. */
const schemaOf = async () => {
  const { createShareFields } = await import('#shared/features/sharing/schema.ts')
  return createShareFields
}

function People({ target, onTake }: { target: ShareTarget; onTake: (share: Share) => void }) {
  const { t } = useTranslation('sharing')
  const list = trpc.sharing.list.useQuery(target)
  useLiveQueries('shares')
  const shares = list.data?.shares
  return (
    <section aria-label={t('people')}>
      <h3 className={`size-13 semibold ${classes['title']}`}>{t('people')}</h3>
      {shares !== undefined ? (
        shares.length === 0 ? (
          <p className={classes['help']}>{t('nobody')}</p>
        ) : (
          <ul className="column framed">
            {shares.map((share) => (
              <Person key={share.id} share={share} onTake={onTake} />
            ))}
          </ul>
        )
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton height={46} />
      )}
    </section>
  )
}

function Person({ share, onTake }: { share: Share; onTake: (share: Share) => void }) {
  const { t } = useTranslation('sharing')
  const levels = useLevels()
  const { id, user, level } = share
  const label = personLabel(user)
  const update = trpc.sharing.update.useMutation({ meta: { failure: t('failed.change') }, onSuccess: () => refresh('shares') })
  return (
    <li className={`grid gap-8 middle divided ${classes['person']}`}>
      <span className={`column shrink ${classes['who']}`} title={label}>
        <bdi className="cut">{user.name}</bdi>
        {user.name === user.username ? null : <bdi className="cut">{user.username}</bdi>}
      </span>
      <Select
        aria-label={t('level_of', { name: label })}
        value={update.isPending ? update.variables.level : level}
        onChange={(next) => {
          if (next !== level) update.mutate({ id, level: levelOf(next) })
        }}
        data={levels}
        allowDeselect={false}
        disabled={update.isPending}
      />
      <ActionIcon
        size={28}
        aria-label={t('take.action', { name: label })}
        title={t('take.action', { name: label })}
        disabled={update.isPending}
        onClick={() => onTake(share)}
      >
        <IconUserMinus size={16} stroke={1.8} />
      </ActionIcon>
    </li>
  )
}

/** Confirms a revocation and states what the user loses. */
function TakeDialog({
  share: { id, user },
  name,
  domains,
  onClose,
}: {
  share: Share
  /** The shared resource. */
  name: string
  /** The number of domains in it. */
  domains: number
  onClose: () => void
}) {
  const { t } = useTranslation('sharing')
  const label = personLabel(user)
  const remove = trpc.sharing.remove.useMutation({ meta: { failure: t('failed.take') } })
  const take = async (): Promise<void> => {
    await remove.mutateAsync({ id })
    toast.success(t('done.taken'), label)
    void refresh('shares')
  }
  return (
    <ConfirmDialog
      title={t('take.title', { person: label })}
      consequence={
        <>
          <p>
            {domains === 0 ? t('take.text_empty', { name }) : t('take.text', { name, count: domains, formatted: formatNumber(domains) })}
          </p>
          <p>{t('take.after')}</p>
        </>
      }
      action={t('take.confirm')}
      count={1}
      failure={t('failed.take')}
      onConfirm={take}
      onClose={onClose}
    />
  )
}
