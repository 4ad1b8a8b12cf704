import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { CopyText } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import type { Added } from './passkeys.ts'
import classes from './two-factor.module.css'
import { encode } from 'uqr'

/** Sets up an authenticator app: scan the code and enter one. */
export function TotpDialog({ onDone, onClose }: { onDone: (added: Added) => void; onClose: () => void }) {
  const { t } = useTranslation('two-factor')
  const id = useId()
  // A secret belongs to one dialog and is not cached.
  const started = useQuery({ queryKey: ['totp', id], queryFn: () => api.twoFactor.startTotp.mutate(), gcTime: 0, retry: false })
  // Declining the authentication closes this dialog too.
  const declined = started.isError && failureOf(started.error).kind === 'cancelled'
  useEffect(() => {
    if (declined) onClose()
  }, [declined, onClose])
  return (
    <Dialog onClose={onClose} title={t('totp.name')} size={440}>
      {started.data !== undefined ? (
        <Scan {...started.data} onDone={onDone} onExpired={() => void started.refetch()} />
      ) : started.isError ? (
        <ErrorState title={t('failed')} error={started.error} onRetry={() => void started.refetch()} />
      ) : (
        <div className="column gap-16" aria-busy>
          <Skeleton width="80%" />
          <Skeleton height={200} />
          <Skeleton height={32} />
        </div>
      )}
    </Dialog>
  )
}

function Scan({
  ticket,
  secret,
  uri,
  onDone,
  onExpired,
}: {
  ticket: string
  secret: string
  uri: string
  onDone: (added: Added) => void
  onExpired: () => void
}) {
  const { t } = useTranslation('two-factor')
  const confirm = trpc.twoFactor.confirmTotp.useMutation({ meta: { failure: false } })
  const form = useForm({
    initial: { code: '' },
    schema: async () => (await import('#shared/features/two-factor/schema.ts')).confirmTotpInput.pick({ code: true }),
    onSubmit: async ({ code }) => {
      onDone(await confirm.mutateAsync({ ticket, code }))
    },
    refusalOf: (error) => {
      const failure = failureOf(error)
      form.set('code', '')
      if (failure.kind === 'answered' && failure.data.code === 'challenge_expired') onExpired()
      return failure.kind === 'no_response' ? null : messageOf(error)
    },
  })
  const grouped = secret.match(/.{4}/g)?.join(' ') ?? secret
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <p className="size-13 secondary pretty">{t('totp.scan')}</p>
      <QrCode text={uri} label={t('totp.qr')} />
      <div className="column gap-2 top">
        <Anchor href={uri} size="sm">
          {t('totp.open')}
        </Anchor>
        <span className="size-13 secondary pretty">{t('totp.manual')}</span>
        <CopyText text={secret}>
          <span className={`size-13 anywhere code ${classes['mono']}`}>{grouped}</span>
        </CopyText>
      </div>
      <TextInput
        {...form.text('code')}
        label={t('totp.code')}
        description={t('ask.totp_help')}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        data-autofocus
      />
      <Problem text={form.refusal} />
      <Button type="submit" loading={form.submitting} fullWidth>
        {t('totp.confirm')}
      </Button>
    </form>
  )
}

/** Rendered locally, so that no one else receives the secret. Black on white in both themes, so that cameras can read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2, ecc: 'M' })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className={`framed ${classes['qr']}`} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
