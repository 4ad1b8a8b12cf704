import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPasskey, wasDeclined } from '#client/features/two-factor/index.ts'
import { type Outputs, trpc } from '#client/lib/trpc.ts'
import { Problem } from '#client/ui/problem.tsx'
import { problemOf } from './problem-of.ts'

/** A passkey alone signs in: it is something that one has, and it knows its person. */
export function PasskeySignIn({ onDone }: { onDone: (signedIn: Outputs['auth']['signInByPasskey']) => Promise<void> }) {
  const { t } = useTranslation('auth')
  const ask = trpc.auth.askForPasskey.useMutation({ meta: { failure: false } })
  const answer = trpc.auth.signInByPasskey.useMutation({ meta: { failure: false } })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const signIn = async (): Promise<void> => {
    setProblem(null)
    setBusy(true)
    try {
      const { ticket, passkey } = await ask.mutateAsync()
      await onDone(await answer.mutateAsync({ ticket, passkey: await getPasskey(passkey) }))
    } catch (error) {
      if (!wasDeclined(error)) setProblem(problemOf(error, t('sign_in.failed')))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Problem text={problem} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} stroke={1.7} />}
        loading={busy}
        onClick={() => void signIn()}
        fullWidth
      >
        {t('sign_in.passkey')}
      </Button>
    </>
  )
}
