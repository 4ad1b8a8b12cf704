import { Button, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FactorMethod, SecondFactorAsked } from '#shared/features/two-factor/schema.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import type { Inputs } from '#client/lib/trpc.ts'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { getPasskey, passkeysPossible, wasDeclined } from './passkeys.ts'
import links from '#client/ui/display/text-link.module.css'
import classes from './two-factor.module.css'

type Answer = Inputs['auth']['secondFactor']

/** Asks for one of the user's second factors, with a switch to the others. */
export function SecondFactorForm({
  asked,
  action,
  onAnswer,
  onExpired,
}: {
  asked: SecondFactorAsked
  /** The label of the button. */
  action: string
  /** A thrown error is shown here. */
  onAnswer: (answer: Answer) => Promise<void>
  /** The ticket is no longer valid. */
  onExpired: (error: unknown) => void
}) {
  const { t } = useTranslation('two-factor')
  const methods = asked.methods.filter((method) => method !== 'passkey' || passkeysPossible())
  const [method, setMethod] = useState<FactorMethod | undefined>(methods[0])
  const [problem, setProblem] = useState<string | null>(null)

  const answer = async (given: Answer): Promise<void> => {
    setProblem(null)
    await onAnswer(given)
  }
  const onFailure = (error: unknown): void => {
    const failure = failureOf(error)
    if (failure.kind === 'answered' && (failure.data.code === 'challenge_expired' || failure.data.code === 'passkey_failed')) {
      onExpired(error)
    } else if (failure.kind !== 'no_response') setProblem(messageOf(error))
  }

  return (
    <div className="column gap-16">
      {method === 'passkey' && asked.passkey !== null ? (
        <PasskeyStep
          onUse={async (options) => answer({ ticket: asked.ticket, method: 'passkey', passkey: await getPasskey(options) })}
          options={asked.passkey}
          onFailure={onFailure}
          onDeclined={() => setProblem(t('ask.passkey_declined'))}
        />
      ) : method === 'totp' || method === 'recovery' ? (
        <CodeStep key={method} method={method} action={action} ticket={asked.ticket} onAnswer={answer} onFailure={onFailure} />
      ) : (
        <p className="size-13 secondary pretty">{t('ask.impossible')}</p>
      )}
      <Problem text={problem} />
      {methods.length < 2 ? null : (
        <p className="flex wrap size-13 gap-4-16">
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <button
                key={other}
                type="button"
                className={`hover-underline ${links['way']}`}
                onClick={() => {
                  setProblem(null)
                  setMethod(other)
                }}
              >
                {t(`ask.instead.${other}`)}
              </button>
            ))}
        </p>
      )}
    </div>
  )
}

function CodeStep({
  method,
  action,
  ticket,
  onAnswer,
  onFailure,
}: {
  method: 'totp' | 'recovery'
  action: string
  ticket: string
  onAnswer: (answer: Answer) => Promise<void>
  onFailure: (error: unknown) => void
}) {
  const { t } = useTranslation('two-factor')
  const form = useForm({
    initial: { ticket, method, code: '' },
    schema: async () => (await import('#shared/features/two-factor/schema.ts')).secondFactorInput,
    onSubmit: (input) => onAnswer(input),
    onFailure: (error) => {
      form.set('code', '')
      onFailure(error)
    },
  })
  return (
    <form className="column gap-16" onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('code')}
        label={t(`ask.${method}`)}
        description={t(`ask.${method}_help`)}
        inputMode={method === 'totp' ? 'numeric' : 'text'}
        autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        autoFocus
        data-autofocus
      />
      <Button type="submit" loading={form.submitting} fullWidth>
        {action}
      </Button>
    </form>
  )
}

function PasskeyStep({
  options,
  onUse,
  onFailure,
  onDeclined,
}: {
  options: NonNullable<SecondFactorAsked['passkey']>
  onUse: (options: NonNullable<SecondFactorAsked['passkey']>) => Promise<void>
  onFailure: (error: unknown) => void
  onDeclined: () => void
}) {
  const { t } = useTranslation('two-factor')
  const [busy, setBusy] = useState(false)
  const use = async (): Promise<void> => {
    setBusy(true)
    try {
      await onUse(options)
    } catch (error) {
      if (wasDeclined(error)) onDeclined()
      else onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p className="size-13 secondary pretty">{t('ask.passkey_help')}</p>
      <Button leftSection={<IconFingerprint size={18} stroke={1.7} />} loading={busy} onClick={() => void use()} fullWidth data-autofocus>
        {t('ask.passkey')}
      </Button>
    </>
  )
}
