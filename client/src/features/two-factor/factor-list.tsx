import { Button } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey, TwoFactor } from '#shared/features/two-factor/schema.ts'
import { formatDate, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { passkeysPossible } from './passkeys.ts'
import type { Added } from './passkeys.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'
import rows from '#client/ui/row-list.module.css'
import classes from './two-factor.module.css'

type Open =
  | { what: 'totp' | 'passkey' | 'renew' }
  /** Null: the codes by time. */
  | { what: 'remove'; passkey: Passkey | null }
  | { what: 'codes'; codes: readonly string[] }

/** A person's second factors, with what can be done about each. */
export function FactorList({ factors }: { factors: TwoFactor }) {
  const { t } = useTranslation(['two-factor', 'common', 'errors'])
  const utils = trpc.useUtils()
  const failure = { meta: { failure: t('errors:general.deleting') } }
  const removeTotp = trpc.twoFactor.removeTotp.useMutation(failure)
  const removePasskey = trpc.twoFactor.removePasskey.useMutation(failure)
  const renew = trpc.twoFactor.renewRecoveryCodes.useMutation({ meta: { failure: t('failed') } })
  const [open, setOpen] = useState<Open | null>(null)
  const close = (): void => setOpen(null)
  const again = (): Promise<void> => utils.twoFactor.get.invalidate()

  const any = factors.totp || factors.passkeys.length > 0
  const onlyOne = factors.passkeys.length + (factors.totp ? 1 : 0) === 1
  const stays = factors.required && onlyOne
  /** Sessions that proved another factor go on: who suspects one of them ends it from here. */
  const changed = (title: string, text: string): void =>
    toast.ended(
      'success',
      title,
      text,
      t('others_out'),
      () =>
        void api.me.endOtherSessions.mutate({}).then(
          () => toast.success(t('others_gone')),
          (error: unknown) => toast.failure(error),
        ),
    )
  const added = ({ recoveryCodes, sessionsEnded }: Added): void => {
    setOpen(recoveryCodes === null ? null : { what: 'codes', codes: recoveryCodes })
    void again()
    void utils.me.sessions.invalidate()
    if (sessionsEnded === 0) changed(t('added'), t('others_stay'))
    else toast.success(t('added'), t('others_ended', { count: sessionsEnded, formatted: formatNumber(sessionsEnded) }))
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
          <Factor
            key={passkey.id}
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
            {stays ? null : (
              <Button
                variant="subtle"
                color="red"
                size="xs"
                aria-label={t('passkey.remove', { name: passkey.name })}
                onClick={() => setOpen({ what: 'remove', passkey })}
              >
                {t('remove')}
              </Button>
            )}
          </Factor>
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
            text={t('recovery.left', { count: factors.recoveryCodesLeft, formatted: formatNumber(factors.recoveryCodesLeft) })}
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
      {open?.what === 'remove' ? (
        <ConfirmDialog
          title={t('remove_title')}
          consequence={t(onlyOne ? 'remove_last' : 'remove_one')}
          action={t('remove')}
          things={1}
          onConfirm={async () => {
            await (open.passkey === null ? removeTotp.mutateAsync() : removePasskey.mutateAsync({ id: open.passkey.id }))
            await again()
            changed(t('removed'), t('others_stay'))
          }}
          onClose={close}
        />
      ) : null}
      {open?.what === 'renew' ? (
        <ConfirmDialog
          title={t('recovery.renew_title')}
          consequence={t('recovery.renew_text')}
          action={t('recovery.renew')}
          things={1}
          onConfirm={async () => {
            const { recoveryCodes } = await renew.mutateAsync()
            await again()
            // After the dialog has closed itself.
            queueMicrotask(() => setOpen({ what: 'codes', codes: recoveryCodes }))
          }}
          onClose={close}
        />
      ) : null}
    </>
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
