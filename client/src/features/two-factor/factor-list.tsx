import { Button } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey, TwoFactor } from '#shared/features/two-factor/schema.ts'
import { counted, formatDate } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { passkeysPossible, type Added } from './passkeys.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'
import rows from '#client/ui/table/row-list.module.css'
import classes from './two-factor.module.css'

type Open =
  | { what: 'totp' | 'passkey' | 'renew' }
  /** Null: TOTP. */
  | { what: 'remove'; passkey: Passkey | null }
  | { what: 'codes'; codes: readonly string[] }

/** The user's second factors with their actions. */
export function FactorList({ factors }: { factors: TwoFactor }) {
  const { t } = useTranslation('two-factor')
  const utils = trpc.useUtils()
  const [open, setOpen] = useState<Open | null>(null)
  const close = (): void => setOpen(null)

  const any = factors.totp || factors.passkeys.length > 0
  const onlyOne = factors.passkeys.length + (factors.totp ? 1 : 0) === 1
  const stays = factors.required && onlyOne
  const notifyChanged = useChangeNotice()
  const added = ({ recoveryCodes, sessionsEnded }: Added): void => {
    setOpen(recoveryCodes === null ? null : { what: 'codes', codes: recoveryCodes })
    void utils.twoFactor.get.invalidate()
    void utils.me.sessions.invalidate()
    if (sessionsEnded === 0) notifyChanged(t('added'))
    else toast.success(t('added'), t('others_ended', counted(sessionsEnded)))
  }

  return (
    <>
      <ul className="card">
        <Factor
          icon={<IconDeviceMobile size={20} stroke={1.6} />}
          name={t('totp.name')}
          text={factors.totp ? t('on') : t('totp.about')}
          on={factors.totp}
        >
          <Button variant="default" size="xs" onClick={() => setOpen({ what: 'totp' })}>
            {t(factors.totp ? 'totp.change' : 'totp.set_up')}
          </Button>
          {factors.totp && !stays ? (
            <Button variant="subtle" color="red" size="xs" onClick={() => setOpen({ what: 'remove', passkey: null })}>
              {t('remove')}
            </Button>
          ) : null}
        </Factor>
        {factors.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} {...(!stays && { onRemove: () => setOpen({ what: 'remove', passkey }) })} />
        ))}
        <Factor
          icon={<IconFingerprint size={20} stroke={1.6} />}
          name={t('passkey.kind')}
          text={t(passkeysPossible() ? 'passkey.about' : 'passkey.impossible')}
        >
          <Button variant="default" size="xs" disabled={!passkeysPossible()} onClick={() => setOpen({ what: 'passkey' })}>
            {t('passkey.add')}
          </Button>
        </Factor>
        {any ? (
          <Factor
            icon={<IconLifebuoy size={20} stroke={1.6} />}
            name={t('recovery.title')}
            text={t('recovery.left', counted(factors.recoveryCodesLeft))}
            warn={factors.recoveryCodesLeft < 3}
          >
            <Button variant="default" size="xs" onClick={() => setOpen({ what: 'renew' })}>
              {t('recovery.renew')}
            </Button>
          </Factor>
        ) : null}
      </ul>
      {stays ? <p className="size-13 secondary pretty">{t('stays')}</p> : null}
      {open?.what === 'totp' ? <TotpDialog onDone={added} onClose={close} /> : null}
      {open?.what === 'passkey' ? <PasskeyDialog onDone={added} onClose={close} /> : null}
      {open?.what === 'codes' ? <RecoveryCodesDialog codes={open.codes} onClose={close} /> : null}
      {open?.what === 'remove' ? <RemoveDialog passkey={open.passkey} last={onlyOne} onClose={close} /> : null}
      {open?.what === 'renew' ? <RenewCodesDialog onRenewed={(codes) => setOpen({ what: 'codes', codes })} onClose={close} /> : null}
    </>
  )
}

/** Sessions authenticated with another factor stay; a user who suspects one can end it here. */
function useChangeNotice(): (title: string) => void {
  const { t } = useTranslation('two-factor')
  return (title) =>
    toast.ended(
      'success',
      title,
      t('others_stay'),
      t('others_out'),
      () =>
        void api.me.endOtherSessions.mutate({}).then(
          () => toast.success(t('others_gone')),
          (error: unknown) => toast.failure(error),
        ),
    )
}

function RemoveDialog({
  passkey,
  last,
  onClose,
}: {
  /** Null: TOTP. */
  passkey: Passkey | null
  last: boolean
  onClose: () => void
}) {
  const { t } = useTranslation(['two-factor', 'errors'])
  const utils = trpc.useUtils()
  const notifyChanged = useChangeNotice()
  const failure = { meta: { failure: t('errors:general.deleting') } }
  const removeTotp = trpc.twoFactor.removeTotp.useMutation(failure)
  const removePasskey = trpc.twoFactor.removePasskey.useMutation(failure)
  return (
    <ConfirmDialog
      title={t('remove_title')}
      consequence={t(last ? 'remove_last' : 'remove_one')}
      action={t('remove')}
      count={1}
      onConfirm={async () => {
        await (passkey === null ? removeTotp.mutateAsync() : removePasskey.mutateAsync({ id: passkey.id }))
        await utils.twoFactor.get.invalidate()
        notifyChanged(t('removed'))
      }}
      onClose={onClose}
    />
  )
}

function RenewCodesDialog({ onRenewed, onClose }: { onRenewed: (codes: readonly string[]) => void; onClose: () => void }) {
  const { t } = useTranslation('two-factor')
  const utils = trpc.useUtils()
  const renew = trpc.twoFactor.renewRecoveryCodes.useMutation({ meta: { failure: t('failed') } })
  return (
    <ConfirmDialog
      title={t('recovery.renew_title')}
      consequence={t('recovery.renew_text')}
      action={t('recovery.renew')}
      count={1}
      onConfirm={async () => {
        const { recoveryCodes } = await renew.mutateAsync()
        await utils.twoFactor.get.invalidate()
        // After the dialog has closed.
        queueMicrotask(() => onRenewed(recoveryCodes))
      }}
      onClose={onClose}
    />
  )
}

/** `onRemove` is absent for the only factor of a user who must have one. */
function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove?: () => void }) {
  const { t } = useTranslation('two-factor')
  return (
    <Factor
      icon={<IconFingerprint size={20} stroke={1.6} />}
      name={<bdi>{passkey.name}</bdi>}
      text={
        <>
          {t('passkey.since', { date: formatDate(passkey.createdAt) })}
          {passkey.lastUsedAt === null ? null : (
            <>
              {' · '}
              {t('passkey.used')} <RelativeTime at={passkey.lastUsedAt} />
            </>
          )}
        </>
      }
      on
    >
      {onRemove === undefined ? null : (
        <Button variant="subtle" color="red" size="xs" aria-label={t('passkey.remove', { name: passkey.name })} onClick={onRemove}>
          {t('remove')}
        </Button>
      )}
    </Factor>
  )
}

function Factor({
  icon,
  name,
  text,
  on = false,
  warn = false,
  children,
}: {
  icon: ReactNode
  name: ReactNode
  text: ReactNode
  on?: boolean
  warn?: boolean
  children: ReactNode
}) {
  return (
    <li className={`divided ${rows['row']}`} data-on={on || undefined}>
      {icon}
      <div className={rows['words']}>
        <span className={rows['name']}>{name}</span>
        <span className={`muted pretty ${rows['about']}`} data-warn={warn || undefined}>
          {text}
        </span>
      </div>
      <div className={`flex gap-4 ${classes['buttons']}`}>{children}</div>
    </li>
  )
}

export function FactorsLoading() {
  return (
    <ul className="card" aria-busy>
      {[0, 1].map((row) => (
        <li key={row} className={`divided ${rows['row']}`}>
          <Skeleton width="50%" />
        </li>
      ))}
    </ul>
  )
}
