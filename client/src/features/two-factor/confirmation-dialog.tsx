import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import '#client/theme/mantine-panel.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

/** Recent authentication before sensitive actions: the second factor, or the password without one. */
export function ConfirmationDialog({ onAnswer }: { onAnswer: (confirmed: boolean) => void }) {
  const { t } = useTranslation('two-factor')
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <Dialog onClose={() => onAnswer(false)} title={t('confirm.title')} size={400} zIndex={400}>
      <div className="column gap-16">
        <Problem text={problem} />
        <Question
          key={round}
          onDone={() => onAnswer(true)}
          onAgain={(why) => {
            setProblem(why === null ? null : messageOf(why))
            setRound(round + 1)
          }}
        />
      </div>
    </Dialog>
  )
}

function Question({ onDone, onAgain }: { onDone: () => void; onAgain: (why: unknown) => void }) {
  const { t } = useTranslation('two-factor')
  const id = useId()
  // A ticket belongs to one dialog and is not cached.
  const asked = useQuery({ queryKey: ['confirmation', id], queryFn: () => api.auth.askConfirmation.mutate(), gcTime: 0, retry: false })
  const confirm = trpc.auth.confirm.useMutation({ meta: { failure: false } })
  if (asked.isError) return <ErrorState title={t('confirm.failed')} error={asked.error} onRetry={() => void asked.refetch()} />
  if (asked.data === undefined) {
    return (
      <div className="column gap-16" aria-busy>
        <Skeleton width="80%" />
        <Skeleton height={32} />
        <Skeleton height={32} />
      </div>
    )
  }
  if (asked.data.secondFactor === null) {
    return (
      <PasswordQuestion
        onConfirm={async (password) => void (await confirm.mutateAsync({ method: 'password', password }))}
        onDone={onDone}
      />
    )
  }
  return (
    <SecondFactorForm
      asked={asked.data.secondFactor}
      action={t('confirm.action')}
      onAnswer={async (answer) => {
        await confirm.mutateAsync(answer)
        onDone()
      }}
      onExpired={onAgain}
    />
  )
}

function PasswordQuestion({ onConfirm, onDone }: { onConfirm: (password: string) => Promise<void>; onDone: () => void }) {
  const { t } = useTranslation(['two-factor', 'common', 'errors'])
  const form = useForm({
    initial: { method: 'password' as const, password: '' },
    schema: async () => (await import('#shared/features/auth/schema.ts')).confirmInput,
    onSubmit: async (_input, { password }) => {
      await onConfirm(password)
      onDone()
    },
    refusalOf: (error) => {
      const failure = failureOf(error)
      if (failure.kind === 'no_response') return null
      const wrong = failure.kind === 'answered' && failure.data.code === 'invalid_credentials'
      return wrong ? t('confirm.wrong_password') : messageOf(error)
    },
  })
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <PasswordInput
        {...form.text('password')}
        label={t('confirm.password')}
        description={t('confirm.password_help')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
        data-autofocus
      />
      <Problem text={form.refusal} />
      <Button type="submit" loading={form.submitting} fullWidth>
        {t('confirm.action')}
      </Button>
    </form>
  )
}
